//! How positions of Sho are judged: both engines agree, chances to be hit are those of an enumeration by the plain engine,
//! turning the table turns the chances, and where the right choice is plain the bots see it.

use sho_ai::sho::{Evaluation, Features, MOST_WEIGHT, WHOLE, Weights, hit_chance};
use sho_ai::{Bots, CERTAIN, Decision, Evaluate, value_of};
use sho_core::sho::{
    Action, Engine, Landing, Opening, Phase, Rules, Setup, Sho, Values, Waiting, plain,
};
use sho_core::{ActionList, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream, Throw};

#[path = "../../sho-core/tests/common/mod.rs"]
mod common;

use common::{random_rules, random_setup};

/// Weights drawn at random, with each feature in use.
fn random_weights(words: &mut Stream) -> Weights {
    let most = MOST_WEIGHT as u32;
    Weights::new([0; Features::NAMES.len()].map(|_| words.below(2 * most + 1) as i32 - MOST_WEIGHT))
}

/// Random positions by random rules, half of them from random play and half set up, none of them over.
fn positions(
    seed: u64,
    count: usize,
    mut each: impl FnMut(&Sho, &<Sho as Game>::State, &mut Stream),
) {
    let mut words = Stream::new(seed, "sho/test", 0);
    let mut seen = 0;
    while seen < count {
        let rules = random_rules(&mut words);
        let game = Sho::new(rules).unwrap();
        for _ in 0..20 {
            let setup = random_setup(&mut words, &rules);
            let Ok(state) = game.state(&setup) else { continue };
            if game.step(&state) != Step::Over {
                each(&game, &state, &mut words);
                seen += 1;
            }
        }
        let (mut state, mut actions) = (game.start(), Default::default());
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    game.cast_unchecked(&mut state, Throw::from_way(words.below(36)));
                }
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut state, action);
                }
            }
            if game.step(&state) != Step::Over && words.below(4) == 0 {
                each(&game, &state, &mut words);
                seen += 1;
            }
        }
    }
}

#[test]
fn both_engines_judge_alike() {
    let (mut differing, mut seen) = (0, 0);
    let mut random = None;
    positions(1, 40_000, |game, state, words| {
        if seen % 50 == 0 {
            // Large weights make chances certain, and hide all but the greatest difference: small ones are drawn too.
            let weights = random_weights(words);
            let scale = [1, 100, 10_000][words.below(3) as usize];
            random =
                Some(Evaluation::new(Weights::new(weights.values().map(|value| value / scale))));
        }
        seen += 1;
        let judge = plain::Sho::new(*game.rules()).unwrap();
        let plain_state = judge.state(&game.setup(state)).unwrap();
        for evaluation in [&Evaluation::new(Weights::ALL_RULES), random.as_ref().unwrap()] {
            let values = evaluation.evaluate(game, state);
            let expected = evaluation.evaluate(&judge, &plain_state);
            assert_eq!(values, expected, "{} under {}", game.state_text(state), game.rules());
            differing += u32::from(values.as_slice(2)[0] % (CERTAIN / 4) != 0);
        }
    });
    assert!(differing > 60_000, "{differing} values that say anything");
}

#[test]
fn medium_is_judged_alike_too() {
    let evaluation = Evaluation::new(Weights::MEDIUM);
    positions(2, 5_000, |game, state, _| {
        let judge = plain::Sho::new(*game.rules()).unwrap();
        let plain_state = judge.state(&game.setup(state)).unwrap();
        assert_eq!(evaluation.evaluate(game, state), evaluation.evaluate(&judge, &plain_state));
    });
}

/// What follows from a position by a throw, by an action, or by a throw and an action, unless it is over.
fn next_to(game: &Sho, state: &<Sho as Game>::State) -> Vec<<Sho as Game>::State> {
    let mut thrown = Vec::new();
    if let Step::Chance(_) = game.step(state) {
        for class in game.outcome_classes(state) {
            let mut next = *state;
            game.cast_unchecked(&mut next, class.outcome);
            thrown.push(next);
        }
    } else {
        thrown.push(*state);
    }
    let mut all = thrown.clone();
    let mut actions = Default::default();
    for state in thrown {
        if let Step::Decide(_) = game.step(&state) {
            game.actions(&state, &mut actions);
            for action in actions.iter() {
                let mut next = state;
                game.play_unchecked(&mut next, action);
                all.push(next);
            }
        }
    }
    all.retain(|state| game.step(state) != Step::Over);
    all
}

/// Positions that follow from one are judged by what is different in each: as the plain engine judges them, whatever
/// the rules and however many sides, and in whatever order they come.
#[test]
fn what_follows_is_judged_as_by_itself() {
    let (mut seen, mut kinds) = (0, [0; 3]);
    positions(4, 3_000, |game, state, words| {
        let weights = match words.below(4) {
            0 => Weights::MEDIUM,
            1 => Weights::ALL_RULES,
            _ => random_weights(words),
        };
        let scale = [1, 100, 10_000][words.below(3) as usize];
        let evaluation = Evaluation::new(Weights::new(weights.values().map(|value| value / scale)));
        let judge = plain::Sho::new(*game.rules()).unwrap();
        let mut following = next_to(game, state);
        let turned = words.below(following.len().max(1) as u32) as usize;
        following.rotate_left(turned);
        let mut near = evaluation.near(game, state);
        for next in &following {
            let expected = evaluation.evaluate(&judge, &judge.state(&game.setup(next)).unwrap());
            let text = || format!("{}, then {}", game.state_text(state), game.state_text(next));
            assert_eq!(near(next), expected, "{} under {}", text(), game.rules());
            let (before, after) = (state.bits(), next.bits());
            let turn = usize::from(next.mover() != state.mover());
            let enemies = |side: usize, turn: usize| {
                after.stacks((side + game.seats() - turn) % game.seats())
            };
            let killed = (1..game.seats()).any(|side| before.stacks(side) != enemies(side, turn));
            kinds[if killed { 2 } else { turn }] += 1;
            seen += 1;
        }
    });
    let each = kinds.map(|count| count > 2_000);
    assert!(seen > 40_000 && each == [true; 3], "{seen} positions: {kinds:?} stay, pass and kill");
}

#[test]
fn chances_sum_to_certainty() {
    let evaluations = [Weights::ALL_RULES, Weights::MEDIUM].map(Evaluation::new);
    let mut games = 0;
    positions(3, 1_000_000, |game, state, words| {
        let seats = game.seats();
        let values = value_of(game, state, &evaluations[words.below(2) as usize]);
        assert_eq!(values.as_slice(seats).iter().sum::<i64>(), CERTAIN);
        assert!(values.as_slice(4).iter().all(|value| (0..=CERTAIN).contains(value)));
        assert!(values.as_slice(4)[seats..].iter().all(|&value| value == 0));
        games += 1;
    });
    assert!(games >= 1_000_000);
}

#[test]
fn a_game_that_is_over_is_worth_its_payoffs() {
    let evaluation = Evaluation::new(Weights::ALL_RULES);
    let game = Sho::new(Rules::lhasa()).unwrap();
    for (winners, values) in [
        ("B", [0, CERTAIN, 0]),
        ("AC", [CERTAIN / 2, 0, CERTAIN / 2]),
        ("ABC", [CERTAIN / 3, 349_525, CERTAIN - CERTAIN / 3 - 349_525]),
    ] {
        let line = format!("0+9:-/0+9:-/0+9:- A over:{winners} - 0 2000");
        let state = game.parse_state(&line).unwrap();
        assert_eq!(value_of(&game, &state, &evaluation).as_slice(3), values);
    }
}

/// The same position with all sides one seat further round the table.
fn turned(setup: &Setup) -> Setup {
    let seats = setup.seats;
    let mut turned = *setup;
    for seat in Seat::all(seats) {
        turned.sides[seat.next(seats)] = setup.sides[seat];
    }
    turned.mover = setup.mover.next(seats);
    turned
}

#[test]
fn turning_the_table_turns_the_chances() {
    let evaluation = Evaluation::new(Weights::ALL_RULES);
    positions(4, 50_000, |game, state, _| {
        let values = evaluation.evaluate(game, state);
        let setup = game.setup(state);
        let other = evaluation.evaluate(game, &game.state(&turned(&setup)).unwrap());
        for seat in Seat::all(game.seats()) {
            assert_eq!(values[seat], other[seat.next(game.seats())], "{setup}");
        }
    });
}

#[test]
fn sides_that_stand_alike_have_like_chances_but_for_the_turn() {
    let mut weights = Weights::ALL_RULES;
    (weights.sides_before, weights.throw_due, weights.to_spend) = (0, 0, 0);
    let evaluation = Evaluation::new(weights);
    for sides in 2..=4 {
        let mut rules = Rules::lhasa();
        rules.sides = sides;
        let game = Sho::new(rules).unwrap();
        let values = evaluation.evaluate(&game, &game.start());
        let values = values.as_slice(sides.into());
        assert!(values.iter().all(|&value| (value - CERTAIN / i64::from(sides)).abs() < 8));
    }
}

/// The chance that the side to move hits the stack in a gap, counted with the plain engine throw by throw, as far as
/// `hit_chance` says that it counts.
fn counted(game: &plain::Sho, setup: &Setup, owner: Seat, gap: sho_core::sho::Gap) -> i64 {
    let mut actions = <plain::Sho as Game>::Actions::default();
    let mut hits = |state: &<plain::Sho as Game>::State| -> bool {
        if game.step(state) == Step::Over {
            return false;
        }
        game.actions(state, &mut actions);
        actions.iter().any(|action| {
            let counts = !matches!(action, Action::Pair | Action::SixThree | Action::Again);
            counts
                && action.landing() == gap.number()
                && game.effect(state, action).landing == Some(Landing::Kill)
        })
    };
    let mover = setup.mover;
    let start = game.state(setup).unwrap();
    assert!(setup.sides[owner].stacks[gap.index()] > 0 && owner != mover);
    let mut chance = 0;
    for first in Throw::ALL {
        let mut state = start;
        game.cast_unchecked(&mut state, first);
        let ways = i64::from(first.ways());
        if !first.is_pa_ra() {
            let mine = game.step(&state) == Step::Decide(mover);
            chance += ways * 36 * i64::from(mine && hits(&state));
            continue;
        }
        if game.setup(&state).phase == Phase::Pair {
            game.play_unchecked(&mut state, Action::Again);
        }
        if game.step(&state) != Step::Chance(mover) {
            // An opening that takes place at once, or is refused.
            let mine = game.step(&state) == Step::Decide(mover);
            chance += ways * 36 * i64::from(mine && hits(&state));
            continue;
        }
        for second in Throw::ALL {
            let ways = ways * i64::from(second.ways());
            let hit = if second.is_pa_ra() {
                // A second 2, and no third throw.
                let mut both = game.setup(&state);
                both.phase = Phase::Move;
                both.waiting = Waiting::new(Values::of(&[2, 2]), 0).unwrap();
                game.state(&both).is_ok_and(|state| hits(&state))
            } else {
                let mut state = state;
                game.cast_unchecked(&mut state, second);
                game.step(&state) == Step::Decide(mover) && hits(&state)
            };
            chance += ways * i64::from(hit);
        }
    }
    chance
}

#[test]
fn chances_to_be_hit_are_those_of_the_plain_engine() {
    let (mut compared, mut certain, mut openers) = (0, 0, 0);
    positions(5, 12_000, |game, state, _| {
        let mut rules = *game.rules();
        // No game ends within the two throws, and two values can wait.
        rules.max_throws = 65_535;
        rules.waiting_limit = 9;
        rules.three_pa_ra_wins = false;
        let judge = plain::Sho::new(rules).unwrap();
        let mut setup = game.setup(state);
        setup.phase = Phase::Throw;
        setup.waiting = Waiting::NONE;
        (setup.left_over, setup.run) = (0, 0);
        for attacker in Seat::all(setup.seats) {
            setup.mover = attacker;
            for owner in Seat::all(setup.seats).filter(|&owner| owner != attacker) {
                let side = setup.sides[owner];
                for (gap, _) in side.stacks() {
                    let chance = hit_chance(&rules, &setup, attacker, owner, gap);
                    let expected = counted(&judge, &setup, owner, gap);
                    assert_eq!(chance, expected, "{attacker} on {gap}: {setup} under {rules}");
                    compared += u32::from(chance > 0);
                    certain += u32::from(chance > WHOLE / 3);
                    let opens = setup.sides[attacker].opening != Opening::Done;
                    openers += u32::from(chance > 0 && opens);
                }
            }
        }
    });
    assert!(
        compared > 10_000 && certain > 500 && openers > 1_000,
        "{compared} {certain} {openers}"
    );
}

/// What a bot chooses in a position.
fn choice<E: Engine + Bots>(bot: &str, rules: Rules, position: &str) -> String {
    let game = E::new(rules).unwrap();
    let state = game.parse_state(position).unwrap();
    let mut actions = E::Actions::default();
    game.actions(&state, &mut actions);
    let Step::Decide(seat) = game.step(&state) else { panic!("{position}") };
    let history = game.begin(&state);
    let decision =
        Decision { game: &game, state: &state, seat, actions: &actions, history: &history };
    let mut policy = E::bot(&game, &E::spec(bot).unwrap()).unwrap();
    let action = policy.choose(decision, &mut Stream::new(1, "sho/test", 0));
    game.action_text(&state, action)
}

#[test]
fn the_right_choice_is_seen_where_it_is_plain() {
    let mut two = Rules::lhasa();
    two.sides = 2;
    for (rules, position, bots, expected) in [
        // Four coins near home rather than a single one that has just come in.
        (two, "2+1:3x2,45x4/4+0:10x1,52x4 A move 7 0 60", &["medium", "hard"][..], "45>52"),
        // Home, and the game is won, rather than a kill.
        (two, "0+8:60x1/5+3:6x1 A move 9 0 90", &["medium", "hard"], "60>home"),
        (two, "0+7:60x2/4+3:44x1,63x1 A move 3,4 0 90", &["medium", "hard"], "60>home=4"),
        // The tall stack would come to stand seven in front of a taller one; a coin can be entered far behind it.
        (two, "3+0:2x1,28x5/3+1:26x5 A move 5 0 60", &["hard"], "not 28>33"),
        // A stack with enemies six, seven and eight behind it, all big enough, runs home.
        (two, "3+2:20x1,58x3/0+0:50x3,51x3,52x3 A move 6 0 60", &["hard"], "58>home"),
        // Two own stacks of three can become one of six.
        (two, "1+2:30x3,37x3/6+3:- A move 7 0 60", &["medium", "hard"], "30>37"),
        // Rather a kill of the leader than of the other: a tall stack against a coin in hand.
        (Rules::lhasa(), "6+0:10x3/2+4:17x3/9+0:- A move 7 0 60", &["medium", "hard"], "10>17"),
    ] {
        for bot in bots {
            let chosen = choice::<Sho>(bot, rules, position);
            match expected.strip_prefix("not ") {
                Some(wrong) => assert_ne!(chosen, wrong, "{bot} in {position}"),
                None => assert_eq!(chosen, expected, "{bot} in {position}"),
            }
            assert_eq!(choice::<plain::Sho>(bot, rules, position), chosen, "{bot}, plainly");
        }
    }
}

#[test]
fn weights_come_from_json_or_are_refused_by_name() {
    let text = serde_json::to_string(&Weights::ALL_RULES).unwrap();
    assert_eq!(Weights::from_json(&text), Ok(Weights::ALL_RULES));
    let names: Vec<_> = Weights::ALL_RULES.iter().map(|(name, _)| name).collect();
    assert_eq!(names, Features::NAMES);
    let refused = |text: &str| Weights::from_json(text).unwrap_err().to_string();
    for name in Features::NAMES {
        let mut object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&text).unwrap();
        object.remove(*name);
        let missing = refused(&serde_json::to_string(&object).unwrap());
        assert!(missing.contains(&format!("missing field `{name}`")), "{missing}");
        object.insert((*name).to_owned(), (MOST_WEIGHT + 1).into());
        let large = refused(&serde_json::to_string(&object).unwrap());
        assert!(large.contains(&format!("weight {name} cannot be 1048577")), "{large}");
        object.insert((*name).to_owned(), 0.5.into());
        assert!(refused(&serde_json::to_string(&object).unwrap()).contains("0.5"));
    }
    assert!(refused(&text.replace("home", "horse")).contains("unknown field `horse`"));
    let twice = text.replacen('{', "{\"home\": 1, ", 1);
    assert!(refused(&twice).contains("duplicate field `home`"), "{}", refused(&twice));
    assert!(refused("").contains("EOF") && refused("[1]").contains("invalid length"));
}

#[test]
fn weights_come_from_lines_or_are_refused_by_line() {
    let text = Weights::MEDIUM.to_string();
    assert_eq!(Weights::from_text(&format!("# mine\n\n {text}")), Ok(Weights::MEDIUM));
    let json = serde_json::to_string(&Weights::MEDIUM).unwrap();
    assert_eq!(Weights::from_text(&format!("\n{json}")), Ok(Weights::MEDIUM));
    let refused = |text: &str| Weights::from_text(text).unwrap_err().to_string();
    assert!(refused(&text.replace("home=", "horse=")).contains("unknown field `horse`"));
    assert!(refused("").contains("missing field `home`"));
    assert!(refused("# only this\nhome=1\n").contains("missing field `hand`"));
    assert_eq!(
        refused("home=1\nhand = 0.5"),
        "line 2 is `hand = 0.5`, expected `name=value` with a whole number"
    );
    assert_eq!(refused("home=1\n\nhome=1"), "line 3 has the weight home for the second time");
    let most = Weights { home: 2_000_000, ..Weights::MEDIUM }.to_string();
    assert!(refused(&most).contains("possible: -1048576 to 1048576"), "{}", refused(&most));
}

#[test]
fn a_bot_plays_by_the_weights_of_its_file() {
    let text = serde_json::to_string(&Weights::MEDIUM).unwrap();
    let mut asked = Vec::new();
    let mut read = |file: &str| {
        asked.push(file.to_owned());
        if file == "w.json" { Ok(text.clone()) } else { Err("no such file".to_owned()) }
    };
    let spec = Sho::spec("weighted:weights=w.json").unwrap();
    let game = Sho::new(Rules::lhasa()).unwrap();
    assert!(Sho::bot_with(&game, &spec, &mut read).is_ok());
    let weights = Sho::weights(&spec, &mut read).unwrap();
    assert_eq!(weights, Some(Weights::MEDIUM.to_string()));
    assert!(weights.unwrap().starts_with(&format!("home={}\nhand=", Weights::MEDIUM.home)));
    // A bot's own weights hang on the board; its text has all of them.
    let own = Sho::weights(&Sho::spec("medium").unwrap(), &mut read).unwrap().unwrap();
    for weights in [Weights::MEDIUM, Weights::MEDIUM_SMALL] {
        assert!(own.contains(&weights.to_string()));
    }
    assert_eq!(Sho::weights(&Sho::spec("easy").unwrap(), &mut read), Ok(None));
    let mut mistake = |spec: &str| {
        let spec = Sho::spec(spec).unwrap();
        Sho::bot_with(&game, &spec, &mut read).err().unwrap().to_string()
    };
    assert_eq!(mistake("weighted:weights=v.json"), "bot weighted: weights=v.json: no such file");
    assert_eq!(
        mistake("weighted"),
        "bot weighted: weights= is missing: a file with a whole number for each weight, JSON or lines name=value"
    );
    assert_eq!(asked, ["w.json", "w.json", "v.json"]);
    let refused = Sho::bot(&game, &spec).err().unwrap().to_string();
    assert_eq!(refused, "bot weighted: weights=w.json: no files can be read here");
}

/// A side's payoffs are those of all its seats; each block is played from every seat.
fn share(rules: Rules, bots: [&str; 2], blocks: u64) -> f64 {
    let game = Sho::new(rules).unwrap();
    let seats = game.seats();
    let mut arena = sho_ai::arena::Arena::new(game);
    let mut entries: Vec<_> = (0..seats)
        .map(|entry| Sho::bot(&game, &Sho::spec(bots[usize::from(entry > 0)]).unwrap()).unwrap())
        .collect();
    let mut won = 0;
    for block in 0..blocks {
        for rotation in 0..seats {
            let played =
                arena.play_game(20_261_129, block, rotation, &mut entries, &mut ()).unwrap();
            won += played.payoffs[Seat::ALL[(seats - rotation) % seats]];
        }
    }
    f64::from(won) / 12.0 / (blocks * seats as u64) as f64
}

/// Each bot beats the one below it. The bounds lie many standard errors below what long matches found.
#[test]
fn stronger_bots_win_more() {
    for preset in ["lhasa", "general", "bhutan"] {
        for sides in 2..=3 {
            let mut rules = Rules::preset(preset).unwrap();
            rules.sides = sides;
            for (bots, least) in [(["medium", "easy"], 1.3), (["hard", "medium"], 1.3)] {
                let share = share(rules, bots, 300);
                let even = 1.0 / f64::from(sides);
                assert!(share > least * even, "{bots:?}, {preset}, {sides} sides: {share:.3}");
            }
        }
    }
}

#[test]
fn unused_seats_hold_nothing() {
    let game = Sho::new(Rules::lhasa()).unwrap();
    let values: PerSeat<i64> = Evaluation::new(Weights::ALL_RULES).evaluate(&game, &game.start());
    assert_eq!(values[Seat::D], 0);
}
