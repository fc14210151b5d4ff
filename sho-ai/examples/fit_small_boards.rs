//! Makes the weights that `medium` and `hard` have for small boards, from best play as the oracle knows it.
//!
//! ```console
//! cargo run --release -p sho-ai --example fit_small_boards medium|hard-8|hard-10 [ROUNDS]
//! ```
//!
//! Games on all six boards give positions with something to choose, and the oracle says what each action is worth. The
//! weights are those that give away least there: as choices are not smooth, each action is taken as if it were chosen
//! with a probability that grows with its value, more and more sharply. `hard` is asked to choose well with a look-ahead
//! over one throw and the reply too, which its search has to. A part for wrong chances keeps values what they are said
//! to be. All of it is descended by steps that adapt (Kingma and Ba, *Adam*, 2015).
//!
//! It prints the weights as JSON; the same numbers on every machine. No champion comes up on these boards, so that weight
//! stays 0.

use sho_ai::oracle::Oracle;
use sho_ai::sho::{Features, WHOLE, Weights};
use sho_ai::{Bots, Decision, Policy};
use sho_core::sho::{Engine, Sho, State};
use sho_core::{ActionList, Game, Seat, Step, Stream, Throw, WHOLE_PAYOFF};

const SEED: u64 = 20_261_130;

/// The features that `medium` knows.
const MEDIUM: [&str; 8] =
    ["home", "hand", "opening", "champion", "coins_to_go", "sides_before", "throw_due", "to_spend"];

/// What is asked of weights, and how they are found.
struct Task {
    /// Which features may weigh anything.
    features: fn(&str) -> bool,
    /// How much a wrong chance counts beside what choices give away.
    accuracy: f64,
    /// How much choices by a look-ahead over one throw and the reply count beside those without.
    look_ahead: f64,
    /// Coins and shells.
    boards: &'static [(u8, u8)],
    /// Games on each board, with two coins and with three.
    games: [u64; 2],
    /// How much a choice counts on boards with two coins, beside one with three.
    two_coins: f64,
    /// How often all choices are gone through.
    rounds: u32,
}

/// The bots' tasks.
const TASKS: [(&str, Task); 3] = [
    (
        "medium",
        Task {
            features: |name| MEDIUM.contains(&name),
            accuracy: 0.1,
            look_ahead: 0.0,
            boards: &[(2, 8), (2, 9), (2, 10), (3, 8), (3, 9), (3, 10)],
            games: [6000, 4000],
            two_coins: 1.0,
            rounds: 25,
        },
    ),
    (
        "hard-8",
        Task {
            features: |_| true,
            accuracy: 0.4,
            look_ahead: 0.15,
            boards: &[(2, 8), (3, 8)],
            games: [3000, 2000],
            two_coins: 2.0,
            rounds: 35,
        },
    ),
    (
        "hard-10",
        Task {
            features: |_| true,
            accuracy: 0.3,
            look_ahead: 2.0,
            boards: &[(2, 9), (2, 10), (3, 9), (3, 10)],
            games: [3000, 2000],
            two_coins: 2.0,
            rounds: 30,
        },
    ),
];

const COUNT: usize = Features::NAMES.len();

/// A position: its features, own less the other side's, or its worth where the game is over.
struct Leaf {
    features: [f64; COUNT],
    over: Option<f64>,
}

/// What can follow on a throw: its chance, and the positions after each reply.
struct Line {
    chance: f64,
    replies_are_own: bool,
    leaves: Vec<Leaf>,
}

/// An action that could be chosen.
struct Answer {
    leaf: Leaf,
    /// The chance to win that it leaves, by best play.
    worth: f64,
    /// What a look-ahead sees.
    lines: Vec<Line>,
}

struct Choice {
    answers: Vec<Answer>,
    weight: f64,
}

impl Leaf {
    fn new(game: &Sho, state: &State, seat: Seat) -> Self {
        let over = game.step(state) == Step::Over;
        let setup = game.setup(state);
        let own = Features::of(game.rules(), &setup, seat).values();
        let other = Features::of(game.rules(), &setup, seat.next(2)).values();
        Self {
            features: std::array::from_fn(|i| (own[i] - other[i]) as f64 / WHOLE as f64),
            over: over.then(|| f64::from(game.payoffs(state)[seat]) / f64::from(WHOLE_PAYOFF)),
        }
    }

    fn value(&self, weights: &[f64; COUNT]) -> f64 {
        self.over.unwrap_or_else(|| {
            let score: f64 = weights.iter().zip(&self.features).map(|(w, f)| w * f).sum();
            1.0 / (1.0 + libm::exp2(-score))
        })
    }
}

impl Line {
    /// What follows on a throw that has been cast.
    fn new(game: &Sho, state: &State, seat: Seat, chance: f64) -> Self {
        let mut actions = Default::default();
        let Step::Decide(chooser) = game.step(state) else {
            return Self {
                chance,
                replies_are_own: true,
                leaves: vec![Leaf::new(game, state, seat)],
            };
        };
        game.actions(state, &mut actions);
        let after = |action| {
            let mut after = *state;
            game.play_unchecked(&mut after, action);
            Leaf::new(game, &after, seat)
        };
        Self {
            chance,
            replies_are_own: chooser == seat,
            leaves: actions.iter().map(after).collect(),
        }
    }

    fn all(game: &Sho, state: &State, seat: Seat) -> Vec<Self> {
        match game.step(state) {
            Step::Over => Vec::new(),
            Step::Decide(_) => vec![Self::new(game, state, seat, 1.0)],
            Step::Chance(_) => {
                let after = |throw: &Throw| {
                    let mut after = *state;
                    game.cast_unchecked(&mut after, *throw);
                    Self::new(game, &after, seat, f64::from(throw.ways()) / 36.0)
                };
                Throw::ALL.iter().map(after).collect()
            }
        }
    }

    /// The position after the reply that its side likes best, with its value.
    fn best(&self, weights: &[f64; COUNT]) -> (&Leaf, f64) {
        let values = self.leaves.iter().map(|leaf| (leaf, leaf.value(weights)));
        let better = |a: f64, b: f64| if self.replies_are_own { a > b } else { a < b };
        values
            .reduce(|best, next| if better(next.1, best.1) { next } else { best })
            .expect("a line has a position")
    }
}

/// Plays games between bots that now and then choose anything, and keeps what there was to choose.
fn play(oracle: &Oracle, games: u64, weight: f64, looks_ahead: bool, choices: &mut Vec<Choice>) {
    let game = oracle.game();
    let bot = |name: &str| Sho::bot(game, &Sho::spec(name).expect("a bot")).expect("no options");
    let mut bots = ["medium", "hard", "easy", "expectimax"].map(bot);
    let mut actions = Default::default();
    for number in 0..games {
        let mut words = Stream::new(SEED, "sho/tune", number);
        let players = [number as usize % 4, number as usize / 4 % 4];
        let mut state = game.start();
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    game.cast_unchecked(&mut state, Throw::from_way(words.below(36) as _));
                }
                Step::Decide(seat) => {
                    game.actions(&state, &mut actions);
                    if actions.len() > 1 {
                        let answer = |action| {
                            let mut after = state;
                            game.play_unchecked(&mut after, action);
                            let chance = oracle.chance(&after).expect("it came up in a game");
                            let own = after.mover() == seat;
                            Answer {
                                leaf: Leaf::new(game, &after, seat),
                                worth: if own { chance } else { 1.0 - chance },
                                lines: if looks_ahead {
                                    Line::all(game, &after, seat)
                                } else {
                                    Vec::new()
                                },
                            }
                        };
                        choices
                            .push(Choice { answers: actions.iter().map(answer).collect(), weight });
                    }
                    let action = if words.below(100) < 12 {
                        actions.get(words.below(actions.len() as u32) as usize)
                    } else {
                        let decision =
                            Decision { game, state: &state, seat, actions: &actions, history: &() };
                        bots[players[seat.index()]].choose(decision, &mut words)
                    };
                    game.play_unchecked(&mut state, action);
                }
            }
        }
    }
}

/// How sharply choices follow values, and how far a step goes, at the beginning and at the end.
const SOFTNESS: [f64; 2] = [0.05, 0.0002];
const STEP: [f64; 2] = [0.03, 0.0003];

/// Choices between two steps.
const BATCH: usize = 256;

/// From the first to the last, by equal factors.
fn between([first, last]: [f64; 2], part: f64) -> f64 {
    first * libm::pow(last / first, part)
}

/// Adds up where what a choice gives away grows, and returns what the best by these values gives away.
fn descend(
    answers: &[Answer],
    values: &[f64],
    softness: f64,
    weight: f64,
    mut slope: impl FnMut(usize, f64),
) -> f64 {
    let best = answers.iter().map(|answer| answer.worth).fold(0.0, f64::max);
    let top = values.iter().copied().fold(0.0, f64::max);
    let mut likely: Vec<f64> =
        values.iter().map(|value| libm::exp((value - top) / softness)).collect();
    let sum: f64 = likely.iter().sum();
    likely.iter_mut().for_each(|likely| *likely /= sum);
    let losses = answers.iter().map(|answer| best - answer.worth);
    let mean: f64 = losses.clone().zip(&likely).map(|(loss, likely)| loss * likely).sum();
    for (index, loss) in losses.enumerate() {
        slope(index, weight * likely[index] * (loss - mean) / softness);
    }
    let chosen = (0..values.len()).fold(0, |a, b| if values[b] > values[a] { b } else { a });
    best - answers[chosen].worth
}

/// Finds the weights that give away least.
fn fit(task: &Task, choices: &[Choice]) -> [f64; COUNT] {
    // Features of very different size are brought to one.
    let mut scale = [0.0; COUNT];
    let leaves = || choices.iter().flat_map(|choice| &choice.answers).map(|answer| &answer.leaf);
    for leaf in leaves() {
        scale
            .iter_mut()
            .zip(leaf.features)
            .for_each(|(scale, feature)| *scale += feature * feature);
    }
    let count = leaves().count() as f64;
    scale.iter_mut().for_each(|scale| *scale = libm::sqrt(*scale / count).max(1e-9));
    let free: [bool; COUNT] = std::array::from_fn(|i| (task.features)(Features::NAMES[i]));

    let (mut weights, mut mean, mut square) = ([0.0; COUNT], [0.0; COUNT], [0.0; COUNT]);
    let (mut steps, mut order) = (0, (0..choices.len()).collect::<Vec<_>>());
    let mut words = Stream::new(SEED, "sho/tune", 1 << 32);
    for round in 0..task.rounds {
        let part = f64::from(round) / f64::from(task.rounds);
        let (softness, step) = (between(SOFTNESS, part), between(STEP, part));
        for index in (1..order.len()).rev() {
            order.swap(index, words.below(index as u32 + 1) as usize);
        }
        let (mut given_away, mut given_away_ahead) = (0.0, 0.0);
        for batch in order.chunks(BATCH) {
            let mut slopes = [0.0; COUNT];
            let mut add = |leaf: &Leaf, value: f64, slope: f64| {
                if leaf.over.is_none() {
                    let slope = slope * value * (1.0 - value) * std::f64::consts::LN_2;
                    for (sum, feature) in slopes.iter_mut().zip(leaf.features) {
                        *sum += slope * feature;
                    }
                }
            };
            for Choice { answers, weight } in batch.iter().map(|&index| &choices[index]) {
                let each = task.accuracy / answers.len() as f64;
                let values: Vec<f64> =
                    answers.iter().map(|answer| answer.leaf.value(&weights)).collect();
                given_away += descend(answers, &values, softness, *weight, |index, slope| {
                    add(&answers[index].leaf, values[index], slope);
                });
                for (answer, &value) in answers.iter().zip(&values) {
                    // The slope of the logarithm of the chance that was given to what happens.
                    let spread = (value * (1.0 - value)).max(1e-12);
                    add(&answer.leaf, value, each * (value - answer.worth) / spread);
                }
                if task.look_ahead == 0.0 {
                    continue;
                }
                let lines: Vec<Vec<(f64, &Leaf, f64)>> = answers
                    .iter()
                    .map(|answer| {
                        answer
                            .lines
                            .iter()
                            .map(|line| {
                                let (leaf, value) = line.best(&weights);
                                (line.chance, leaf, value)
                            })
                            .collect()
                    })
                    .collect();
                let ahead: Vec<f64> = answers
                    .iter()
                    .zip(&lines)
                    .map(|(answer, lines)| match answer.leaf.over {
                        Some(over) => over,
                        None => lines.iter().map(|(chance, _, value)| chance * value).sum(),
                    })
                    .collect();
                let mut along = |index: usize, slope: f64| {
                    for &(chance, leaf, value) in &lines[index] {
                        add(leaf, value, slope * chance);
                    }
                };
                let counts = weight * task.look_ahead;
                given_away_ahead += descend(answers, &ahead, softness, counts, &mut along);
                for (index, (answer, &value)) in answers.iter().zip(&ahead).enumerate() {
                    along(index, 2.0 * each * (value - answer.worth));
                }
            }
            steps += 1;
            for index in (0..COUNT).filter(|&index| free[index]) {
                let slope = slopes[index] / scale[index] / batch.len() as f64;
                mean[index] = 0.9 * mean[index] + 0.1 * slope;
                square[index] = 0.999 * square[index] + 0.001 * slope * slope;
                let mean = mean[index] / (1.0 - libm::pow(0.9, f64::from(steps)));
                let square = square[index] / (1.0 - libm::pow(0.999, f64::from(steps)));
                weights[index] -= step * mean / (libm::sqrt(square) + 1e-8) / scale[index];
            }
        }
        let percent = 100.0 / choices.len() as f64;
        eprintln!(
            "round {round}: {:.3} % given away by a choice, {:.3} % with a look-ahead",
            given_away * percent,
            given_away_ahead * percent
        );
    }
    weights
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some((_, mut task)) = TASKS.into_iter().find(|(task, _)| *task == name) else {
        let tasks: Vec<_> = TASKS.iter().map(|(name, _)| *name).collect();
        return Err(format!("no weights for `{name}`; possible: {}", tasks.join(", ")).into());
    };
    if let Some(rounds) = arguments.next() {
        task.rounds = rounds.parse()?;
    }
    let mut choices = Vec::new();
    for &(coins, shells) in task.boards {
        let oracle = Oracle::solve(Oracle::rules(coins, shells))?;
        let two = coins == 2;
        let games = task.games[usize::from(!two)];
        let weight = if two { task.two_coins } else { 1.0 };
        play(&oracle, games, weight, task.look_ahead > 0.0, &mut choices);
    }
    eprintln!("{} choices", choices.len());
    let weights = fit(&task, &choices).map(|weight| libm::round(weight * 65_536.0) as i32);
    println!("{}", serde_json::to_string_pretty(&Weights::new(weights))?);
    Ok(())
}
