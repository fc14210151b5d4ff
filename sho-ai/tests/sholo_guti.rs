//! The bots of Sholo Guti.

use sho_ai::{BotError, Bots, Decision, Policy};
use sho_core::sholo_guti::{Engine, Rules, SholoGuti, Turn, plain};
use sho_core::{Game, Notation, Seat, Step, Stream};

/// What the bot chooses in a position that play begins with.
fn choice<E: Engine + Notation + Bots>(bot: &str, rules: Rules, line: &str) -> String {
    let game = E::new(rules).unwrap();
    let state = game.parse_state(line).unwrap();
    let Step::Decide(seat) = game.step(&state) else { panic!("{line} is over") };
    let mut actions = E::Actions::default();
    game.actions(&state, &mut actions);
    let (game, history) = (&game, &game.begin(&state));
    let decision = Decision { game, state: &state, seat, actions: &actions, history };
    let mut policy = E::bot(game, &E::spec(bot).unwrap()).unwrap();
    policy.choose(decision, &mut Stream::new(1, "sho/bot", 0)).to_string()
}

#[test]
fn easy_takes_the_most_and_then_steps_where_it_is_safe() {
    for (line, expected) in [
        // Three pieces before one.
        ("ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31", "c3:e3:c5:c7"),
        // a3 would take on b4, the first step of the list.
        (".../.../...../...../..x../...../o..../.../... x 0 1", "c5-b5"),
        // a3 would take on a4, where the first take of the list ends.
        (".../.../...../...../...../.oxo./o..../.../... x 0 1", "c4:e4"),
    ] {
        for rules in [Rules::standard(), Rules::forced()] {
            assert_eq!(choice::<SholoGuti>("easy", rules, line), expected);
            assert_eq!(choice::<plain::SholoGuti>("greedy", rules, line), expected);
        }
    }
}

/// Plays one game and returns the first seat's payoff and the turns.
fn play<E: Engine + Bots>(game: &E, bots: [&str; 2], seed: u64) -> (u32, Vec<Turn>) {
    let mut policies = bots.map(|bot| E::bot(game, &E::spec(bot).unwrap()).unwrap());
    let mut words = [0, 1].map(|seat| Stream::new(seed, "sho/bot", seat));
    let mut state = game.start();
    let (mut history, mut actions) = (game.begin(&state), E::Actions::default());
    let mut turns = Vec::new();
    while let Step::Decide(seat) = game.step(&state) {
        game.actions(&state, &mut actions);
        let decision = Decision { game, state: &state, seat, actions: &actions, history: &history };
        let turn = policies[seat.index()].choose(decision, &mut words[seat.index()]);
        game.play(&mut state, turn).unwrap();
        game.remember(&mut state, &mut history);
        turns.push(turn);
    }
    (game.payoffs(&state)[Seat::A], turns)
}

#[test]
fn easy_beats_random_from_either_seat() {
    for rules in [Rules::standard(), Rules::forced()] {
        let engine = SholoGuti::new(rules).unwrap();
        let (mut payoff, mut lost) = (0, 0);
        for seed in 0..200 {
            let first = play(&engine, ["easy", "random"], seed).0;
            let second = 12 - play(&engine, ["random", "easy"], seed).0;
            payoff += first + second;
            lost += u32::from(first == 0) + u32::from(second == 0);
        }
        // What it does not win it draws: it takes what comes, and does not hunt.
        let score = f64::from(payoff) / 12.0 / 400.0;
        assert!(score > 0.7 && lost < 4, "{rules}: {score} {lost}");
    }
}

#[test]
fn alphabeta_is_told_how_far_to_look() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let refused = |text: &str| {
        let spec = SholoGuti::spec(text).unwrap();
        SholoGuti::bot(&game, &spec).err().unwrap_or_else(|| panic!("{text}"))
    };
    for (text, option, range) in [
        ("alphabeta:depth=0", "depth", "1 to 64"),
        ("alphabeta:depth=65", "depth", "1 to 64"),
        ("alphabeta:depth=03", "depth", "1 to 64"),
        ("alphabeta:depth=", "depth", "1 to 64"),
        ("alphabeta:depth", "depth", "1 to 64"),
        ("alphabeta:depth=3:nodes=x", "nodes", "1 to 1000000000000"),
        ("alphabeta:nodes=-1", "nodes", "1 to"),
    ] {
        let error = refused(text);
        assert!(
            matches!(&error, BotError::UnknownValue { option: found, .. } if found == option),
            "{error}"
        );
        assert!(error.to_string().contains(range), "{error}");
    }
    for text in ["alphabeta", "alphabeta:depth=64:nodes=1", "alphabeta:nodes=1000000000000"] {
        let spec = SholoGuti::spec(text).unwrap();
        assert_eq!(spec.to_string(), text);
        assert!(SholoGuti::bot(&game, &spec).is_ok() && !SholoGuti::draws(&spec));
    }
    assert!(SholoGuti::draws(&SholoGuti::spec("random").unwrap()));
    let error = SholoGuti::spec("alphabeta:deep=3").unwrap_err();
    assert!(error.to_string().contains("possible: depth, nodes"), "{error}");
}

#[test]
fn alphabeta_looks_further_than_easy() {
    // The take c3:c5 wins a piece, and c6:c4 goes on over one of its neighbours: two for one. Only who may decline does.
    let line = "o../.../..o../..o../...../.xox./..x../.../..x x 0 31";
    for (rules, declines) in [(Rules::standard(), true), (Rules::forced(), false)] {
        assert_eq!(choice::<SholoGuti>("easy", rules, line), "c3:c5");
        for bot in ["alphabeta", "alphabeta:depth=2", "alphabeta:nodes=1000"] {
            let turn = choice::<SholoGuti>(bot, rules, line);
            assert_eq!(turn.contains('-'), declines, "{bot} {turn}");
            assert_eq!(choice::<plain::SholoGuti>(bot, rules, line), turn);
        }
    }
}

#[test]
fn both_engines_make_bots_play_the_same_games() {
    for rules in [Rules::standard(), Rules::forced()] {
        let (fast, judge) = (SholoGuti::new(rules).unwrap(), plain::SholoGuti::new(rules).unwrap());
        let pairs = [
            ["easy", "random"],
            ["random", "easy"],
            ["alphabeta:depth=2", "random"],
            ["easy", "alphabeta:nodes=200"],
        ];
        for (seed, bots) in pairs.into_iter().enumerate() {
            assert_eq!(play(&fast, bots, seed as u64), play(&judge, bots, seed as u64));
        }
    }
}
