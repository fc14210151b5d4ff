//! "After a pa ra look for the value that kills or joins": is the saying right?
//!
//! Two players differ in nothing else. Both are `hard`, but when several values wait, as they do after a pa ra alone, one of
//! them looks at actions that kill or join only, wherever there is one, and takes the best of those. A tournament on shared
//! dice says what that is worth. Then, in games of `hard` against itself: where some action kills or joins and another does
//! not, how often does it take one, and how often would the search that looks further?
//!
//! ```console
//! cargo run --release --example after_a_pa_ra [BLOCKS] [GAMES] [SEED]
//! ```
//!
//! BLOCKS is the length of each tournament, GAMES that of each look at decisions. The defaults show how it works, and are too
//! few for an answer.

use sho::ai::arena::{Arena, Observer};
use sho::ai::sho::{Evaluation, Weights};
use sho::ai::{Bots, Decision, Greedy, Policy, value_of};
use sho::sho::{Action, Actions, Engine, Landing, Rules, Sho, State};
use sho::{ActionList, Game, RuleSet, Seat, Stream};
use sho_bench::stats::interval::half_width;
use sho_bench::{Amount, Entrant, Experiment, GuestBot, Lineups, Schedule, TournamentResult, run};

/// The search that is asked what it would have taken.
const DEEPER: &str = "expectimax:depth=2";

/// Whether several values wait and one of them is to be spent: only a pa ra leads there.
fn is_after_a_pa_ra(game: &Sho, state: &State, actions: &Actions) -> bool {
    game.setup(state).waiting.len() > 1 && !actions.contains(Action::Again)
}

fn kills(game: &Sho, state: &State, action: Action) -> bool {
    game.effect(state, action).landing == Some(Landing::Kill)
}

fn joins(game: &Sho, state: &State, action: Action) -> bool {
    game.effect(state, action).landing == Some(Landing::Join)
}

/// `hard`, but for the saying.
struct Saying {
    evaluation: Evaluation,
    hard: Greedy<Evaluation>,
}

impl Saying {
    fn new() -> Self {
        let evaluation = Evaluation::new(Weights::HARD);
        Self { hard: Greedy::new(evaluation.clone()), evaluation }
    }
}

impl Policy<Sho> for Saying {
    fn choose(&mut self, decision: Decision<'_, Sho>, words: &mut Stream) -> Action {
        let Decision { game, state, seat, actions, .. } = decision;
        if !is_after_a_pa_ra(game, state, actions) {
            return self.hard.choose(decision, words);
        }
        let worth = |action: Action| {
            let mut after = *state;
            game.play_unchecked(&mut after, action);
            value_of(game, &after, &self.evaluation)[seat]
        };
        let said = |&action: &Action| kills(game, state, action) || joins(game, state, action);
        // Of equals the first, as `hard` takes it; `max_by_key` takes the last.
        let best = actions.iter().filter(said).map(|action| (worth(action), action));
        match best.reduce(|best, next| if next.0 > best.0 { next } else { best }) {
            Some((_, action)) => action,
            None => self.hard.choose(decision, words),
        }
    }
}

/// What is offered after a pa ra.
#[derive(Clone, Copy)]
enum Offer {
    Kill,
    JoinAlone,
    Either,
}

const OFFERS: [(Offer, &str); 3] = [
    (Offer::Kill, "a kill"),
    (Offer::JoinAlone, "a join and no kill"),
    (Offer::Either, "a kill or a join"),
];

impl Offer {
    /// Whether an action is of that kind.
    fn has(self, game: &Sho, state: &State, action: Action) -> bool {
        match self {
            Self::Kill => kills(game, state, action),
            Self::JoinAlone => joins(game, state, action),
            Self::Either => kills(game, state, action) || joins(game, state, action),
        }
    }

    /// Whether there is a choice between such actions and others.
    fn is_made(self, game: &Sho, state: &State, actions: &Actions) -> bool {
        let no_kill = || !actions.iter().any(|action| kills(game, state, action));
        let some = |wanted| actions.iter().any(|action| self.has(game, state, action) == wanted);
        some(true) && some(false) && (!matches!(self, Self::JoinAlone) || no_kill())
    }
}

/// Decisions of one kind in one game.
#[derive(Clone, Copy, Default)]
struct Seen {
    decisions: u32,
    /// Taken by `hard`, and by the search.
    taken: [u32; 2],
}

/// Watches games of `hard`.
struct Watch {
    deeper: Box<dyn Policy<Sho>>,
    actions: Actions,
    /// By kind of offer.
    seen: [Seen; OFFERS.len()],
}

impl Observer<Sho> for Watch {
    fn action(&mut self, game: &Sho, state: &State, seat: Seat, action: Action) {
        game.actions(state, &mut self.actions);
        let actions = &self.actions;
        if !is_after_a_pa_ra(game, state, actions) {
            return;
        }
        let mut deeper = None;
        for ((offer, _), seen) in OFFERS.into_iter().zip(&mut self.seen) {
            if !offer.is_made(game, state, actions) {
                continue;
            }
            let decision = Decision { game, state, seat, actions, history: &() };
            // It draws nothing.
            let ask = || self.deeper.choose(decision, &mut Stream::new(0, "no-words", 0));
            let other = *deeper.get_or_insert_with(ask);
            seen.decisions += 1;
            for (taken, action) in seen.taken.iter_mut().zip([action, other]) {
                *taken += u32::from(offer.has(game, state, action));
            }
        }
    }
}

/// A share of decisions with half of its 95 % interval, in percent: games are independent, decisions of a game are not.
fn share(games: &[Seen], by: usize) -> String {
    let decisions: f64 = games.iter().map(|seen| f64::from(seen.decisions)).sum();
    let taken: f64 = games.iter().map(|seen| f64::from(seen.taken[by])).sum();
    let share = taken / decisions;
    let rest = |seen: &Seen| f64::from(seen.taken[by]) - share * f64::from(seen.decisions);
    let squares: f64 = games.iter().map(|seen| rest(seen).powi(2)).sum();
    let n = games.len() as f64;
    let error = (squares * n / (n - 1.0)).sqrt() / decisions;
    match half_width(error, games.len() as u64) {
        Some(width) if decisions > 0.0 => format!("{:.1} ±{:.1} %", 100.0 * share, 100.0 * width),
        _ => "-".to_owned(),
    }
}

/// How the one who follows the saying does among others who do not, and the other way round.
fn tournament(rules: Rules, seed: u64, blocks: u64) -> Result<(), Box<dyn std::error::Error>> {
    let saying = GuestBot::new::<Sho, _>("saying", Saying::new)?;
    let bots = [Entrant::Guest(saying), Entrant::parse::<Sho>("hard")?];
    let (lineups, amount) = (Lineups::Gauntlet, Amount::Blocks(blocks));
    let experiment =
        Experiment::of_entrants::<Sho>(rules, &bots, lineups, Schedule::Rotations, seed, amount)?;
    let tally = run::<Sho>(&experiment, 0, &())?.tally;
    let result = TournamentResult::new::<Sho>(&experiment, &tally);
    let line = |who: &str, games: u64, score: f64, error: Option<f64>| {
        let width = error.and_then(|error| half_width(error, blocks)).unwrap_or(f64::NAN);
        let even = 100.0 / f64::from(rules.sides);
        println!(
            "  {who}: {:.2} ±{:.2} % of {games} games, even is {even:.2} %",
            100.0 * score,
            100.0 * width
        );
    };
    if result.lineups.len() == 1 {
        let bot = &result.bots[0];
        line("the saying against hard", bot.games, bot.score, bot.score_se);
    }
    for of in result.lineup_scores.iter().filter(|of| of.seats == 1) {
        let who = ["the saying among two hard", "hard among two of the saying"][of.bot];
        line(who, of.games, of.score, of.score_se);
    }
    Ok(())
}

fn decisions(rules: Rules, seed: u64, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    let game = Sho::new(rules)?;
    let hard = Sho::spec("hard")?;
    let entries: Result<Vec<_>, _> = (0..game.seats()).map(|_| Sho::bot(&game, &hard)).collect();
    let (mut entries, mut arena) = (entries?, Arena::new(game));
    let mut watch = Watch {
        deeper: Sho::bot(&game, &Sho::spec(DEEPER)?)?,
        actions: Actions::default(),
        seen: Default::default(),
    };
    let mut all: [Vec<Seen>; OFFERS.len()] = Default::default();
    for block in 0..games {
        arena.play_game(seed, block, 0, &mut entries, &mut watch)?;
        for (all, seen) in all.iter_mut().zip(&mut watch.seen) {
            all.push(std::mem::take(seen));
        }
    }
    for ((_, name), games) in OFFERS.iter().zip(&all) {
        let count: u32 = games.iter().map(|seen| seen.decisions).sum();
        let (hard, deeper) = (share(games, 0), share(games, 1));
        println!(
            "  where {name} is to be had: hard takes it in {hard}, {DEEPER} in {deeper} of {count}"
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (blocks, games, seed) = (number(30)?, number(20)?, number(20_261_130)?);
    if blocks < 2 || games < 2 {
        return Err("an interval takes two blocks and two games at least".into());
    }
    for preset in ["lhasa", "general"] {
        for sides in ["2", "3"] {
            let mut rules = Rules::preset(preset)?;
            rules.set("sides", sides)?;
            println!("{preset}, {sides} sides, seed {seed}");
            tournament(rules, seed, blocks)?;
            decisions(rules, seed, games)?;
        }
    }
    Ok(())
}
