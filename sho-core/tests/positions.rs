//! The stored positions: their actions or throws, the positions these lead to, and walk counts, computed outside this
//! project.

mod common;

use common::vectors;
use sho_core::perft::{Count, perft};
use sho_core::sho::{Engine, Sho, plain};
use sho_core::{ActionList, Notation, Step};

fn agrees<E: Engine>() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 93);
    for vector in vectors {
        let game = E::new(vector.rules).unwrap();
        let state = game
            .parse_state(&vector.position)
            .unwrap_or_else(|error| panic!("{}: {error}", vector.position));
        assert_eq!(game.state_text(&state), vector.position);
        let found: Vec<(String, String)> = match game.step(&state) {
            Step::Over => Vec::new(),
            Step::Chance(_) => game
                .outcomes(&state)
                .map(|(throw, _)| {
                    let mut next = state.clone();
                    game.cast(&mut next, throw).unwrap();
                    (game.outcome_text(throw), game.state_text(&next))
                })
                .collect(),
            Step::Decide(_) => {
                let mut actions = E::Actions::default();
                game.actions(&state, &mut actions);
                let next = actions.iter().map(|action| {
                    let mut next = state.clone();
                    game.play(&mut next, action).unwrap();
                    (game.action_text(&state, action), game.state_text(&next))
                });
                next.collect()
            }
        };
        assert_eq!(found, vector.next, "{}\n{}", vector.position, vector.rules);
        for (depth, &count) in (1..).zip(&vector.walks) {
            assert_eq!(
                perft(&game, &state, depth, Count::Sequences),
                count,
                "{} depth {depth}",
                vector.position
            );
        }
    }
}

#[test]
fn the_plain_engine_agrees_with_the_stored_positions() {
    agrees::<plain::Sho>();
}

#[test]
fn the_fast_engine_agrees_with_the_stored_positions() {
    agrees::<Sho>();
}
