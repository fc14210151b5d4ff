//! Openings of games without chance, and what a tournament makes of them.

use sho_ai::opening::Opening;
use sho_bench::{Amount, Experiment, ExperimentError, Schedule, TournamentResult, run};
use sho_core::sholo_guti::{Rules, SholoGuti, plain};
use sho_core::{ActionList, Game, Notation, Step, Stream, sho};

/// The turns of a block's opening as text.
fn turns<G: Notation>(game: &G, seed: u64, block: u64, turns: u32) -> String {
    let mut texts = Vec::new();
    Opening::draw(game, seed, block, turns)
        .play(game, |state, _, action| texts.push(game.action_text(state, action)));
    texts.join(" ")
}

/// The vectors of `docs/dice.md`, which were computed by a program of its own.
const VECTORS: &[(Rules, u64, u64, &str)] = &[
    (Rules::standard(), 1, 0, "b4-a5 c6-c5 b3-b4 c5-d5 d4-e5 b6-b5"),
    (Rules::standard(), 1, 1, "b4-b5 d6-d5 b3-b4 e6-e5 b5-a5 e7-e6"),
    (Rules::standard(), 1, 2, "a4-a5 b6-b5 a5-a4 c7-b6 d4-c5 d6-c7"),
    (Rules::standard(), 20_261_129, 0, "b4-c5 b6-b5 a3-b4 a7-b6 c5:a5:a7:c5 b7-b6"),
    (Rules::standard(), 20_261_129, 1, "e4-e5 e6:e4 d4-d5 d6:d4 a4-a5 c6-d6"),
    (Rules::standard(), 20_261_129, 2, "e4-e5 b6-c5 b4-a5 c5-b4 d4-c5 b4-b5"),
    (Rules::forced(), 1, 0, "b4-a5 c6-c5 c4:c6 c7:c5 a5:c7:e5 c5-b5"),
    (Rules::forced(), 1, 1, "b4-b5 b6:b4 c3:a5 b7-b6 d4-e5 b6-c5"),
    (Rules::forced(), 1, 2, "a4-a5 a6:a4 a3:a5 b6-a6 a5-b5 d6-c5"),
    (Rules::forced(), 20_261_129, 0, "b4-c5 d6:b4 b3:b5 b6:b4 a3:c5 a7-b6"),
    (Rules::forced(), 20_261_129, 1, "e4-e5 e6:e4 e3:e5 e7-e6 e5:e7:c5 d7-d6"),
    (Rules::forced(), 20_261_129, 2, "e4-e5 e6:e4 e3:e5 c6-c5 c4:c6:e6 b6-a5"),
];

#[test]
fn openings_are_those_of_the_documented_vectors() {
    for &(rules, seed, block, expected) in VECTORS {
        let (fast, judge) = (SholoGuti::new(rules).unwrap(), plain::SholoGuti::new(rules).unwrap());
        assert_eq!(turns(&fast, seed, block, 6), expected, "{rules} {seed} {block}");
        assert_eq!(turns(&judge, seed, block, 6), expected, "{rules} {seed} {block}");
        // A shorter opening is the beginning of a longer one.
        let shorter = expected.split(' ').take(4).collect::<Vec<_>>().join(" ");
        assert_eq!(turns(&fast, seed, block, 4), shorter);
        assert_eq!(turns(&fast, seed, block, 0), "");
    }
}

/// Turns are drawn as a bot draws, with the one that would end the game drawn again; written anew, in a plain way.
#[test]
fn a_turn_that_would_end_the_game_is_drawn_again_or_the_opening_stops() {
    let (mut redrawn, mut stopped, mut repeated) = (0, 0, 0);
    for block in 0..300 {
        let mut rules = if block % 2 == 0 { Rules::standard() } else { Rules::forced() };
        (rules.quiet_turns, rules.repeats) = if block % 3 == 0 { (60, 2) } else { (3, 3) };
        let game = SholoGuti::new(rules).unwrap();
        let (mut state, mut actions) = (game.start(), Default::default());
        let mut history = game.begin(&state);
        let mut words = Stream::new(9, "sho/opening", block);
        let mut expected = Vec::new();
        'turns: for _ in 0..30 {
            game.actions(&state, &mut actions);
            let ends = |action| {
                let (mut next, mut history) = (state, history.clone());
                game.play_unchecked(&mut next, action);
                game.remember(&mut next, &mut history);
                game.step(&next) == Step::Over
            };
            if actions.iter().all(ends) {
                stopped += 1;
                break;
            }
            let action = loop {
                let action = actions.get(words.below(actions.len() as u32) as usize);
                if !ends(action) {
                    break action;
                }
                redrawn += 1;
                repeated += u32::from(block % 3 == 0);
                if redrawn > 100_000 {
                    break 'turns;
                }
            };
            game.play_unchecked(&mut state, action);
            game.remember(&mut state, &mut history);
            expected.push(action);
        }
        let opening = Opening::draw(&game, 9, block, 30);
        assert_eq!(opening.turns(), expected);
        let (end, remembered) = opening.play(&game, |_, _, _| {});
        assert_eq!((end, remembered), (state, history));
        assert!(matches!(game.step(&state), Step::Decide(_)));
    }
    assert!(redrawn > 50 && stopped > 50 && repeated > 0, "{redrawn} {stopped} {repeated}");
}

fn experiment(bots: [&str; 2], turns: u32, blocks: u64) -> Experiment<Rules> {
    let bots = bots.map(String::from);
    let amount = Amount::Blocks(blocks);
    let mut experiment =
        Experiment::lineup::<SholoGuti>(Rules::standard(), &bots, Schedule::Rotations, 1, amount)
            .unwrap();
    assert_eq!(experiment.opening_turns, 6);
    experiment.opening_turns = turns;
    experiment
}

#[test]
fn players_that_draw_nothing_need_openings() {
    let check = |bots, turns| experiment(bots, turns, 5).check::<SholoGuti>();
    assert!(matches!(check(["easy", "easy"], 0), Err(ExperimentError::SameGames { .. })));
    assert_eq!(check(["easy", "random"], 0), Ok(()));
    assert_eq!(check(["easy", "easy"], 1), Ok(()));
    let same = experiment(["easy", "greedy"], 0, 5);
    assert!(run::<SholoGuti>(&same, 1, &()).is_err());
    // Any line-up of several.
    let mut pool = experiment(["easy", "random"], 0, 5);
    pool.lineups.push(vec![0, 0]);
    assert!(matches!(pool.check::<SholoGuti>(), Err(ExperimentError::SameGames { .. })));
    // With dice there are none.
    let bots = ["easy", "easy"].map(String::from);
    let mut dice = Experiment::lineup::<sho::Sho>(
        sho::Rules::lhasa(),
        &bots,
        Schedule::Rotations,
        1,
        Amount::Blocks(2),
    )
    .unwrap();
    assert_eq!(dice.opening_turns, 0);
    dice.opening_turns = 2;
    assert_eq!(dice.check::<sho::Sho>(), Err(ExperimentError::NoOpenings("sho")));
}

#[test]
fn distinct_games_are_counted_turn_by_turn() {
    let counts = |bots, turns, blocks| {
        let experiment = experiment(bots, turns, blocks);
        let tally = run::<SholoGuti>(&experiment, 2, &()).unwrap().tally;
        assert_eq!(tally, run::<SholoGuti>(&experiment, 1, &()).unwrap().tally);
        let result = TournamentResult::new::<SholoGuti>(&experiment, &tally);
        assert_eq!(result.opening_turns, Some(turns));
        result.distinct_games.unwrap().unwrap()
    };
    // Nine first turns, and a player against itself plays each twice a block.
    assert_eq!(counts(["easy", "easy"], 1, 200), 9);
    // As many as there are openings.
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let mut openings: Vec<_> =
        (0..200).map(|block| Opening::draw(&game, 1, block, 3).turns().to_vec()).collect();
    openings.sort();
    openings.dedup();
    assert!(openings.len() < 190);
    assert_eq!(counts(["easy", "easy"], 3, 200), openings.len() as u64);
    assert_eq!(counts(["easy", "random"], 0, 200), 400);
}

#[test]
fn alphabeta_beats_easy_and_easy_beats_random() {
    for (bots, least) in [(["alphabeta:depth=3", "easy"], 0.7), (["easy", "random"], 0.65)] {
        for rules in [Rules::standard(), Rules::forced()] {
            let experiment = Experiment { rules, ..experiment(bots, 6, 40) };
            let tally = run::<SholoGuti>(&experiment, 0, &()).unwrap().tally;
            let result = TournamentResult::new::<SholoGuti>(&experiment, &tally);
            assert!(result.bots[0].score > least, "{bots:?} {rules} {:?}", result.bots);
            assert_eq!(result.bots[1].wins, 0, "{bots:?} {rules}");
        }
    }
}

/// Random players after a random opening play as random players do: the opening's turns count as turns.
#[test]
fn lengths_include_the_opening() {
    let mean = |turns| {
        let tally =
            run::<SholoGuti>(&experiment(["random", "random"], turns, 600), 0, &()).unwrap().tally;
        assert_eq!(tally.seat_wins[2..], [0, 0]);
        tally.lengths[0].histogram.mean().unwrap()
    };
    let (without, with) = (mean(0), mean(40));
    assert!((without - 284.0).abs() < 12.0 && (with - 284.0).abs() < 12.0, "{without} {with}");
}
