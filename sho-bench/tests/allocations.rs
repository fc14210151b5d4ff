//! Playing allocates nothing once buffers have their size. What is allocated is counted on the thread that plays.

use allocation_counter::measure;
use sho_ai::Bots;
use sho_ai::arena::{Arena, bot_words};
use sho_ai::opening::Opening;
use sho_bench::bench::{Games, Perft, Way};
use sho_bench::metrics::{BlockMetrics, Measured, Meter, MetricTally};
use sho_core::perft::{Count, perft};
use sho_core::sho::{Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{ActionList, BlockDice, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream};

/// Allocations made by `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let mut done = None;
    let counted = measure(|| done = Some(work()));
    (counted.count_total, done.expect("it was done"))
}

#[test]
fn what_allocates_is_counted() {
    assert_eq!(allocations(|| vec![0u8; 100]).0, 1);
    assert_eq!(allocations(|| [0u8; 100]).0, 0);
    let mut list = vec![0u8; 100];
    assert_eq!(allocations(|| list.reserve(1000)).0, 1);
}

/// Every bot of Sho, every preset, every number of sides, in the arena and as playouts. The games are played twice: once
/// in a while one is longer, or has more to choose from, than any before.
#[test]
fn games_of_sho_allocate_nothing() {
    let mut games_played = 0;
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            let game = Sho::new(rules).unwrap();
            let ways = [Way::Arena, Way::Playouts, Way::Batches];
            for (bot, way) in Sho::BOTS.iter().flat_map(|bot| ways.map(|way| (bot.name, way))) {
                let Ok(Some(mut games)) = Games::new(game, bot, way) else { continue };
                // What looks ahead takes its time, and sees as many positions in fewer games.
                let blocks = if bot == "expectimax" { 2 } else { 30 };
                games.play(0..blocks);
                let (made, work) = allocations(|| games.play(0..blocks));
                assert_eq!(made, 0, "{bot} {way:?} under {rules}");
                games_played += work.games;
            }
        }
    }
    assert!(games_played > 1_000, "{games_played} games");
}

/// A meter in the arena, and its counts in a tally whose histograms have their size.
#[test]
fn counting_what_happens_allocates_nothing() {
    for preset in Rules::PRESETS {
        let game = Sho::new(preset.rules).unwrap();
        let (mut arena, mut meter) = (Arena::new(game), game.meter());
        let bot = |name| Sho::bot(&game, &Sho::spec(name).unwrap()).unwrap();
        let mut entries = ["easy", "random", "random"].map(bot);
        let mut tally = MetricTally::new::<Sho>(3);
        let mut block = BlockMetrics::new::<Sho>(3);
        let (opening, seating) = (Opening::none(game.start()), PerSeat::from_fn(Seat::index));
        let mut dice = BlockDice::of(&game, 1, 0);
        let mut play = |blocks| {
            for number in 0..blocks {
                meter.clear();
                dice.reset(number);
                let mut words = bot_words(1, number, 0);
                arena
                    .play(&opening, &mut entries, &seating, &mut dice, &mut words, &mut meter)
                    .unwrap();
                block.game::<Sho>(3, &seating, &meter, &mut tally);
                block.finish(&mut tally);
            }
        };
        play(30);
        let (made, ()) = allocations(|| play(30));
        assert_eq!(made, 0, "{}", preset.name);
    }
}

/// Random turns of Sholo Guti, game after game, without a history: that is a list, and a new one for each game.
#[test]
fn turns_of_sholo_guti_allocate_nothing() {
    for preset in sholo_guti::Rules::PRESETS {
        let game = SholoGuti::new(preset.rules).unwrap();
        let mut actions = <SholoGuti as Game>::Actions::default();
        let mut play = || {
            let mut words = Stream::new(1, "sho/test", 0);
            let mut turns = 0;
            for _ in 0..200 {
                let mut state = game.start();
                while game.step(&state) != Step::Over {
                    game.actions(&state, &mut actions);
                    let turn = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut state, turn);
                    turns += 1;
                }
            }
            turns
        };
        play();
        let (made, turns) = allocations(play);
        assert_eq!(made, 0, "{}", preset.name);
        assert!(turns > 10_000, "{turns} turns");
    }
}

/// In the arena a game of Sholo Guti makes its history, and that grows by doubling; and its block draws an opening, for
/// which it tries turns and forgets them.
#[test]
fn games_of_sholo_guti_allocate_their_history() {
    let game = SholoGuti::new(sholo_guti::Rules::standard()).unwrap();
    // A search makes its lists anew for each decision, whatever it looks at.
    for bot in SholoGuti::BOTS.iter().filter(|bot| bot.options.is_empty()) {
        let Ok(Some(mut games)) = Games::new(game, bot.name, Way::Arena) else { continue };
        games.play(0..20);
        let (made, work) = allocations(|| games.play(20..40));
        assert!(made <= 20 * work.games, "{}: {made} in {} games", bot.name, work.games);
    }
}

/// Perft makes one buffer a level, whatever it counts.
#[test]
fn perft_allocates_its_buffers() {
    fn check<G: Notation>(count: Perft) {
        let game = G::new(G::Rules::preset(count.rules).unwrap()).unwrap();
        let state = game.parse_state(count.position).unwrap();
        let (made, sequences) =
            allocations(|| perft(&game, &state, count.depth, Count::Sequences) as u64);
        assert_eq!(sequences, count.sequences);
        // The buffers' own list, and in each what grows by doubling.
        let most = 1 + 8 * u64::from(count.depth);
        assert!(made <= most, "{}: {made} allocations, at most {most}", count.game);
    }
    check::<Sho>(Perft { depth: 7, sequences: 8_114_838, ..Perft::SHO });
    check::<SholoGuti>(Perft::SHOLO_GUTI);
}
