//! Positions of `testdata/perft-sho.jsonl`, which the benchmarks share.
#![allow(dead_code, reason = "each benchmark uses its own part")]

use serde_json::Value;
use sho::sho::{Actions, Rules, Sho, State};
use sho::{ActionList, Game, Notation, RuleSet, Step};

/// The positions that the benchmarks look at, of three sides under `lhasa`: where to look first, then the line.
pub(crate) const POSITIONS: [(&str, &str); 5] = [
    ("opening", "7+0:10x2!/9+0o:-/9+0o:- B throw - 0 1"),
    ("middle", "6+0:10x1,13x2/6+0:14x1,17x2/5+0:5x1,8x1,21x2 A throw - 0 18"),
    ("race", "3+1:8x1,20x1,22x1,49x2/0+3:33x2,41x2,48x2/2+6:14x1 A throw - 0 145"),
    ("pa ra, 2 values", "7+0:14x1,30x1/3+0:12x1,32x5/4+0:4x1,5x1,18x1,23x2 A move 2,4 0 25"),
    ("pa ra, 3 values", "4+2:9x2,20x1/5+0:30x3,43x1/4+0:24x1,32x1,52x3 A move 2,2,10 0 49"),
];

/// A stored position.
pub(crate) struct Stored {
    pub(crate) game: Sho,
    pub(crate) state: State,
    /// The numbers of sequences of 1, 2, 3, ... steps.
    pub(crate) perft: Vec<u64>,
}

/// The stored position of this line.
pub(crate) fn stored(position: &str) -> Stored {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/perft-sho.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let line = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line["position"] == position)
        .unwrap_or_else(|| panic!("{position} is not stored"));
    let mut rules = Rules::preset(line["rules"].as_str().unwrap()).unwrap();
    rules.set("sides", &line["sides"].to_string()).unwrap();
    let game = Sho::new(rules).unwrap();
    Stored {
        state: game.parse_state(position).unwrap(),
        game,
        perft: line["perft"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect(),
    }
}

impl Stored {
    /// The choices that the position leads to: itself, or those after each of the 21 throws.
    pub(crate) fn choices(&self) -> Vec<State> {
        let is_choice = |state: &State| matches!(self.game.step(state), Step::Decide(_));
        if is_choice(&self.state) {
            return vec![self.state];
        }
        let throws = self.game.outcomes(&self.state).map(|(throw, _)| {
            let mut state = self.state;
            self.game.cast(&mut state, throw).unwrap();
            state
        });
        let all: Vec<State> = throws.collect();
        assert_eq!(all.len() as u64, self.perft[0]);
        all.into_iter().filter(is_choice).collect()
    }

    /// How many actions those have in all, by the stored counts.
    pub(crate) fn actions_of_choices(&self) -> u64 {
        if matches!(self.game.step(&self.state), Step::Decide(_)) {
            return self.perft[0];
        }
        // Where dice are due again, two steps are one of 21 throws behind a throw.
        let throws_again = self.perft[0] - self.choices().len() as u64;
        self.perft[1] - 21 * throws_again
    }

    /// Those choices with each action.
    pub(crate) fn actions(&self) -> Vec<(State, sho::sho::Action)> {
        let mut actions = Actions::default();
        let mut all = Vec::new();
        for state in self.choices() {
            self.game.actions(&state, &mut actions);
            all.extend(actions.iter().map(|action| (state, action)));
        }
        assert_eq!(all.len() as u64, self.actions_of_choices());
        all
    }
}
