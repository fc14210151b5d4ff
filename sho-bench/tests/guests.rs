//! Bots of the calling program in tournaments.

use std::collections::HashSet;

use sho_ai::sho::Easy;
use sho_ai::{Decision, Policy, Random};
use sho_bench::{
    Amount, Entrant, EntrantError, Experiment, ExperimentError, GuestBot, Lineups, MetricsTier,
    RunError, Schedule, TournamentResult, record_of, run,
};
use sho_core::sho::{Action, Rules, Sho, plain};
use sho_core::sholo_guti::SholoGuti;
use sho_core::{ActionList, Game, Stream};

fn two_sides() -> Rules {
    let mut rules = Rules::lhasa();
    rules.sides = 2;
    rules
}

fn experiment(bots: &[Entrant], blocks: u64) -> Result<Experiment<Rules>, ExperimentError> {
    let (lineups, amount) = (Lineups::Given, Amount::Blocks(blocks));
    Experiment::of_entrants::<Sho>(two_sides(), bots, lineups, Schedule::Rotations, 7, amount)
}

fn own(text: &str) -> Entrant {
    Entrant::parse::<Sho>(text).unwrap()
}

fn guest<P: Policy<Sho> + 'static>(
    name: &str,
    policy: impl Fn() -> P + Send + Sync + 'static,
) -> Entrant {
    Entrant::Guest(GuestBot::new::<Sho, P>(name, policy).unwrap())
}

/// What guests play and how it is counted is what the bots of the game play and count, for any number of threads.
#[test]
fn a_guest_plays_the_games_of_the_bot_that_it_is() {
    for metrics in [MetricsTier::Basic, MetricsTier::Full] {
        let with = |bots: &[Entrant], threads| {
            let mut experiment = experiment(bots, 200).unwrap();
            experiment.metrics = metrics;
            run::<Sho>(&experiment, threads, &()).unwrap().tally
        };
        let (easy, random) = (guest("easy", || Easy), guest("drawing", || Random));
        let expected = with(&[own("easy"), own("random")], 1);
        assert!(expected.bots[0].wins > expected.bots[1].wins);
        for threads in [1, 2] {
            assert_eq!(with(&[easy.clone(), own("random")], threads), expected);
            assert_eq!(with(&[own("easy"), random.clone()], threads), expected);
            assert_eq!(with(&[easy.clone(), random.clone()], threads), expected);
        }
    }
}

#[test]
fn results_and_records_name_guests() {
    let bots = [guest("mine", || Easy), own("random")];
    let experiment = experiment(&bots, 10).unwrap();
    let tally = run::<Sho>(&experiment, 1, &()).unwrap().tally;
    let result = TournamentResult::new::<Sho>(&experiment, &tally);
    assert_eq!(result.bots[0].name, "guest:mine");
    assert!(result.deterministic && result.bots[0].weights.is_none());
    let record = record_of::<Sho>(&experiment, "0.0.1".parse().unwrap()).unwrap();
    assert_eq!(record.players, ["random", "guest:mine"]);
}

/// Chooses what is legal in another position.
struct Cheat;

impl Policy<Sho> for Cheat {
    fn choose(&mut self, decision: Decision<'_, Sho>, _: &mut Stream) -> Action {
        let game = decision.game;
        let mut state = game.start();
        let mut actions = <Sho as Game>::Actions::default();
        game.cast(&mut state, "6-5".parse().unwrap()).unwrap();
        game.actions(&state, &mut actions);
        actions.get(0)
    }
}

#[test]
fn what_is_not_legal_ends_the_run_and_is_named() {
    let experiment = experiment(&[guest("cheat", || Cheat), own("random")], 50).unwrap();
    let errors: HashSet<String> = [1, 2]
        .map(|threads| {
            let error = run::<Sho>(&experiment, threads, &()).unwrap_err();
            assert!(matches!(error, RunError::Illegal { .. }), "{error}");
            error.to_string()
        })
        .into();
    assert_eq!(errors.len(), 1, "{errors:?}");
    let error = errors.iter().next().unwrap();
    assert!(error.starts_with("game 0.0.0, bot guest:cheat: "), "{error}");
}

#[test]
fn guests_that_cannot_play_are_refused() {
    for name in ["", "a b", "a,b", "exec:x", "é"] {
        let error = GuestBot::new::<Sho, _>(name, || Random).unwrap_err();
        assert_eq!(error, EntrantError::GuestName(name.into()));
    }
    let error = Entrant::parse::<Sho>("guest:mine").unwrap_err().to_string();
    assert!(error.starts_with("guest:mine was brought along by a program"), "{error}");

    // Of the same game, and for another engine.
    let plain = Entrant::Guest(GuestBot::new::<plain::Sho, _>("plain", || Random).unwrap());
    let guti = Entrant::Guest(GuestBot::new::<SholoGuti, _>("guti", || Random).unwrap());
    for other in [plain, guti] {
        let experiment = experiment(&[other.clone(), own("easy")], 1).unwrap();
        let error = run::<Sho>(&experiment, 1, &()).unwrap_err().to_string();
        assert_eq!(error, format!("{other} is not made for this game and engine: sho"));
    }
}

#[test]
fn copies_of_a_guest_are_one_bot_and_others_need_another_name() {
    let mine = guest("mine", || Easy);
    let both = experiment(&[mine.clone(), mine.clone()], 1).unwrap();
    assert_eq!((both.bots.len(), &both.lineups[..]), (1, &[vec![0, 0]][..]));
    let error = experiment(&[mine, guest("mine", || Random)], 1).unwrap_err().to_string();
    assert_eq!(error, "two bots are named guest:mine, and are not the same");
}
