//! "After a pa ra look for the value that kills or joins": is the saying right?
//!
//! Two players differ in nothing else. Both are `hard`, but when several values wait, as they do after a pa ra alone, one of
//! them looks at actions that kill or join only, wherever there is one, and takes the best of those. A tournament on shared
//! dice says what that is worth. Then, in games of `hard` against itself: where some action kills or joins and another does
//! not, how often does it take one, and how often would the search that looks further? Where a quiet landing leaves the other
//! values to be used, it may come first, and the kill with them, before the next throw.
//!
//! ```console
//! cargo run --release --example after_a_pa_ra [BLOCKS] [GAMES] [SEED]
//! ```
//!
//! BLOCKS is the length of each tournament, GAMES that of each look at choices. The defaults show how it works, and are too
//! few for an answer.

use sho::ai::arena::{Arena, Observer};
use sho::ai::sho::{Evaluation, own_weights};
use sho::ai::{Bots, Decision, Greedy, Policy, value_of};
use sho::sho::{Action, Actions, Engine, Landing, Rules, Sho, State};
use sho::{ActionList, Game, RuleSet, Seat, Step, Stream, Throw};
use sho_bench::stats::interval::half_width;
use sho_bench::{Amount, Entrant, Experiment, GuestBot, Lineups, Schedule, TournamentResult, run};

/// Who is asked what it would have taken.
const PLAYERS: [&str; 2] = ["hard", "expectimax:depth=2"];

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
    fn new(rules: &Rules) -> Self {
        let hard = Sho::spec("hard").expect("there is such a bot");
        let weights = own_weights(&hard, rules).expect("it has weights of its own");
        let evaluation = Evaluation::new(*weights);
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

/// Choices of one kind in one game.
#[derive(Clone, Copy, Default)]
struct Seen {
    choices: u32,
    /// How often the first action is of that kind, by player.
    at_once: [u32; PLAYERS.len()],
    /// How often one of the actions before the next throw is, by player.
    before_the_throw: [u32; PLAYERS.len()],
}

/// Watches games of `hard`, and asks what each player would do where the throwing of a turn with a pa ra has ended.
struct Watch {
    players: Vec<Box<dyn Policy<Sho>>>,
    actions: Actions,
    /// Whether the last step was a throw.
    thrown: bool,
    /// By kind of offer.
    seen: [Seen; OFFERS.len()],
}

impl Observer<Sho> for Watch {
    fn cast(&mut self, _: &Sho, _: &State, _: Seat, _: Throw) {
        self.thrown = true;
    }

    fn action(&mut self, game: &Sho, state: &State, seat: Seat, _: Action) {
        if !std::mem::take(&mut self.thrown) {
            return;
        }
        game.actions(state, &mut self.actions);
        if !is_after_a_pa_ra(game, state, &self.actions) {
            return;
        }
        let is_made = OFFERS.map(|(offer, _)| offer.is_made(game, state, &self.actions));
        for (number, player) in self.players.iter_mut().enumerate() {
            if !is_made.contains(&true) {
                continue;
            }
            let played = until_the_throw(game, *state, seat, player.as_mut());
            for (((offer, _), seen), _) in
                OFFERS.iter().zip(&mut self.seen).zip(is_made).filter(|(_, is_made)| *is_made)
            {
                let is_such = |(state, action): &(State, Action)| offer.has(game, state, *action);
                seen.at_once[number] += u32::from(played.first().is_some_and(is_such));
                seen.before_the_throw[number] += u32::from(played.iter().any(is_such));
            }
        }
        for (seen, is_made) in self.seen.iter_mut().zip(is_made) {
            seen.choices += u32::from(is_made);
        }
    }
}

/// What a player plays until it throws again or its turn ends, each action with the position before it.
fn until_the_throw(
    game: &Sho,
    mut state: State,
    seat: Seat,
    player: &mut dyn Policy<Sho>,
) -> Vec<(State, Action)> {
    let (mut played, mut actions) = (Vec::new(), Actions::default());
    while game.step(&state) == Step::Decide(seat) {
        game.actions(&state, &mut actions);
        let decision = Decision { game, state: &state, seat, actions: &actions, history: &() };
        // Neither player draws.
        let action = player.choose(decision, &mut Stream::new(0, "no-words", 0));
        played.push((state, action));
        game.play_unchecked(&mut state, action);
    }
    played
}

/// A share of choices with half of its 95 % interval, in percent: games are independent, choices of a game are not.
fn share(games: &[Seen], taken: impl Fn(&Seen) -> u32) -> String {
    let choices: f64 = games.iter().map(|seen| f64::from(seen.choices)).sum();
    let share = games.iter().map(|seen| f64::from(taken(seen))).sum::<f64>() / choices;
    let rest = |seen: &Seen| f64::from(taken(seen)) - share * f64::from(seen.choices);
    let squares: f64 = games.iter().map(|seen| rest(seen).powi(2)).sum();
    let n = games.len() as f64;
    let error = (squares * n / (n - 1.0)).sqrt() / choices;
    match half_width(error, games.len() as u64) {
        Some(width) if choices > 0.0 => format!("{:5.1} ±{:4.1} %", 100.0 * share, 100.0 * width),
        _ => "-".to_owned(),
    }
}

/// How the one who follows the saying does among others who do not, and the other way round.
fn tournament(rules: Rules, seed: u64, blocks: u64) -> Result<(), Box<dyn std::error::Error>> {
    let saying = GuestBot::new::<Sho, _>("saying", move || Saying::new(&rules))?;
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

fn choices(rules: Rules, seed: u64, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    let game = Sho::new(rules)?;
    let player = |name: &str| Sho::bot(&game, &Sho::spec(name)?);
    let entries: Result<Vec<_>, _> = (0..game.seats()).map(|_| player("hard")).collect();
    let (mut entries, mut arena) = (entries?, Arena::new(game));
    let players: Result<Vec<_>, _> = PLAYERS.into_iter().map(player).collect();
    let (actions, thrown, seen) = Default::default();
    let mut watch = Watch { players: players?, actions, thrown, seen };
    let mut all: [Vec<Seen>; OFFERS.len()] = Default::default();
    for block in 0..games {
        arena.play_game(seed, block, 0, &mut entries, &mut watch)?;
        for (all, seen) in all.iter_mut().zip(&mut watch.seen) {
            all.push(std::mem::take(seen));
        }
    }
    for ((_, name), games) in OFFERS.iter().zip(&all) {
        let count: u32 = games.iter().map(|seen| seen.choices).sum();
        println!("  where {name} is to be had, {count} times in {} games:", games.len());
        for (number, player) in PLAYERS.iter().enumerate() {
            let at_once = share(games, |seen| seen.at_once[number]);
            let in_time = share(games, |seen| seen.before_the_throw[number]);
            println!(
                "    {player:<18} takes it at once {at_once}, before it throws again {in_time}"
            );
        }
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
            choices(rules, seed, games)?;
        }
    }
    Ok(())
}
