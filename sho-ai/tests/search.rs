//! The search that plays against the one in twenty lines.

use sho_ai::search::alphabeta::{AlphaBeta, Limits};
use sho_ai::search::{Before, Evaluate, Model, Tactics, WIN};
use sho_ai::sholo_guti::Weights;
use sho_core::sholo_guti::{Engine, Rules, SholoGuti, State};
use sho_core::{ActionList, Game, Notation, Seat, Step, Stream};

/// A position of a random game, and what stood before it.
struct Position {
    game: SholoGuti,
    state: State,
    seat: Seat,
    before: Before,
}

/// The keys of what play remembers.
fn before(game: &SholoGuti, history: &<SholoGuti as Game>::History) -> Before {
    let setups = game.remembered(history).into_iter();
    Before::new(setups.map(|setup| game.key(&game.state(&setup).unwrap())))
}

/// Positions from random games by both settings, from early to late; in some a draw is near.
fn positions(count: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for number in 0.. {
        let mut words = Stream::new(20_261_130, "sho/test", number);
        let mut rules = if number % 2 == 0 { Rules::standard() } else { Rules::forced() };
        if number % 3 == 0 {
            rules.quiet_turns = 3 + words.below(6) as u16;
        }
        let game = SholoGuti::new(rules).unwrap();
        let (mut state, mut actions) = (game.start(), Default::default());
        let mut history = game.begin(&state);
        let turns = words.below(160);
        for _ in 0..turns {
            if game.step(&state) == Step::Over {
                break;
            }
            game.actions(&state, &mut actions);
            // To and fro more often than at random, so that positions come again.
            let count = actions.len() as u32;
            let action = actions.get((words.below(count).min(words.below(count))) as usize);
            game.play_unchecked(&mut state, action);
            game.remember(&mut state, &mut history);
        }
        if let Step::Decide(seat) = game.step(&state) {
            let before = before(&game, &history);
            positions.push(Position { game, state, seat, before });
            if positions.len() == count {
                return positions;
            }
        }
    }
    unreachable!()
}

/// An evaluation with few values, so that many turns are equally good.
#[derive(Clone, Debug)]
struct Pieces;

impl Evaluate<SholoGuti> for Pieces {
    fn evaluate(&self, _: &SholoGuti, state: &State) -> i32 {
        let [own, other] =
            [state.mover(), state.mover().next(2)].map(|seat| state.pieces(seat).len());
        own as i32 - other as i32
    }
}

/// Compares choices and values at some depths, with and without a table.
fn compare<V: Evaluate<SholoGuti>>(
    evaluation: &V,
    positions: &[Position],
    quiescence: bool,
    depth: u32,
) {
    let model = Model { evaluation: evaluation.clone(), quiescence, draw: -3 };
    let mut searches = [None, Some(4), Some(12)].map(|bits| AlphaBeta::new(model.clone(), bits));
    let mut drawn = 0;
    for Position { game, state, seat, before } in positions {
        for depth in 1..=depth {
            let expected = model.best(game, state, *seat, before, depth);
            for search in &mut searches {
                let choice = search.search(game, state, *seat, before, Limits::depth(depth));
                let line = game.state_text(state);
                assert_eq!((choice.action, choice.value), expected, "{line} depth {depth}");
            }
            drawn += u32::from(expected.1.abs() == 3);
        }
    }
    assert!(drawn > 0);
}

#[test]
fn choices_and_values_are_those_of_the_plain_search() {
    let positions = positions(300);
    let came_before = |position: &&Position| position.before != Before::default();
    assert!(positions.iter().filter(came_before).count() > 200);
    compare(&Weights::default(), &positions, false, 3);
    compare(&Pieces, &positions, false, 3);
    compare(&Weights::default(), &positions[..60], false, 4);
}

#[test]
fn choices_and_values_are_those_of_the_plain_search_that_plays_takes_on() {
    let mut positions = positions(300);
    compare(&Weights::default(), &positions, true, 1);
    compare(&Pieces, &positions, true, 1);
    // Without pruning, takes upon takes are many where many pieces stand in reach.
    let pieces = |state: &State| Seat::all(2).map(|seat| state.pieces(seat).len()).sum::<usize>();
    positions.retain(|position| pieces(&position.state) <= 18);
    assert!(positions.len() > 100, "{}", positions.len());
    compare(&Weights::default(), &positions, true, 2);
    compare(&Pieces, &positions[..30], true, 3);
}

/// The search that the bot uses.
fn search() -> AlphaBeta<SholoGuti, Weights> {
    let model = Model { evaluation: Weights::default(), quiescence: true, draw: -50 };
    AlphaBeta::new(model, Some(14))
}

#[test]
fn a_search_depends_on_nothing_that_was_searched_before() {
    let mut used = search();
    for Position { game, state, seat, before } in &positions(60) {
        for limits in [Limits::depth(4), Limits::nodes(300), Limits::nodes(2000)] {
            let choice = used.search(game, state, *seat, before, limits);
            assert_eq!(choice, search().search(game, state, *seat, before, limits));
        }
    }
}

#[test]
fn a_search_stops_after_its_positions() {
    let mut search = search();
    let mut deeper = 0;
    for Position { game, state, seat, before } in &positions(60) {
        let mut choice = |limits| search.search(game, state, *seat, before, limits);
        let first = choice(Limits::depth(1));
        assert_eq!(first.depth, 1);
        // The first depth is searched whole.
        let least = choice(Limits::nodes(1));
        assert_eq!((least.action, least.value), (first.action, first.value));
        let more = choice(Limits::nodes(5000));
        assert!(more.nodes <= first.nodes.max(5000), "{more:?}");
        deeper += u32::from(more.depth > 3);
        // What was searched to its end is the same by either limit.
        let whole = choice(Limits::depth(3));
        let enough = choice(Limits { depth: 3, nodes: whole.nodes });
        assert_eq!(enough, whole);
    }
    assert!(deeper > 40, "{deeper}");
}

/// The number of paths grows beyond all bounds where pieces stand with gaps between them; those to one result are one.
#[test]
fn paths_with_equal_results_are_searched_once() {
    for (rules, most) in [(Rules::standard(), 400_000), (Rules::forced(), 10_000)] {
        let game = SholoGuti::new(rules).unwrap();
        let line = "x.x/.x./.o.o./ooooo/.oxo./ooooo/.o.o./x.x/.x. x 0 31";
        let state = game.parse_state(line).unwrap();
        let choice = search().search(&game, &state, Seat::A, &Before::default(), Limits::depth(2));
        assert!(choice.nodes < most && choice.action.takes() == 15, "{choice:?}");
    }
}

#[test]
fn wins_are_found_and_the_nearer_one_is_taken() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    for (line, depth, expected, value) in [
        // The last piece; and, three turns deep, at once and not in three turns.
        (".../.../...../..o../..x../...../...../.../... x 0 9", 1, "c5:c7", WIN - 1),
        (".../.../...../..o../..x../...../...../.../... x 0 9", 3, "c5:c7", WIN - 1),
        // The enemy's last piece is shut in.
        ("ox./x.x/..x../...../...../...../...../.../... x 79 99", 3, "d8-e9", WIN - 1),
    ] {
        let state = game.parse_state(line).unwrap();
        let limits = Limits::depth(depth);
        let choice = search().search(&game, &state, Seat::A, &Before::default(), limits);
        assert_eq!((choice.action.to_string().as_str(), choice.value), (expected, value), "{line}");
    }
}

#[test]
fn what_stood_before_counts_as_a_draw() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let line = ".../.../..o../...../...../...../x...x/.../x.x x 5 50";
    let state = game.parse_state(line).unwrap();
    let mut search = search();
    let free = search.search(&game, &state, Seat::A, &Before::default(), Limits::depth(3));
    assert!(free.value > 0);
    // Wherever its best turn leads, it has been there.
    let mut next = state;
    game.play_unchecked(&mut next, free.action);
    let before = Before::new([game.key(&state), game.key(&next)].into_iter());
    let choice = search.search(&game, &state, Seat::A, &before, Limits::depth(3));
    assert!(choice.action != free.action && choice.value > 0, "{choice:?}");
    // And if that is so for all of them, a draw is all there is.
    let mut actions = Default::default();
    game.actions(&state, &mut actions);
    let all = actions.iter().map(|action| {
        let mut next = state;
        game.play_unchecked(&mut next, action);
        game.key(&next)
    });
    let choice = search.search(&game, &state, Seat::A, &Before::new(all), Limits::depth(3));
    assert_eq!((choice.value, Some(choice.action)), (-50, actions.iter().next()));
}
