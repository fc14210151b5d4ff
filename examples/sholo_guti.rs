//! A game of Sholo Guti, the second game, which has no dice: `easy` against `random`, its record and its last board.
//!
//! ```console
//! cargo run --release --example sholo_guti
//! ```

use sho::ai::{Bots, Decision};
use sho::record::Record;
use sho::sholo_guti::{Rules, SholoGuti};
use sho::{Game, Seat, Step, Stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = SholoGuti::new(Rules::standard())?;
    let mut players = Vec::new();
    for name in ["easy", "random"] {
        players.push(SholoGuti::bot(&game, &SholoGuti::spec(name)?)?);
    }
    // `easy` draws nothing. These are the words of seat B in block 8, seating 0, under seed 1.
    let mut words = Stream::new(1, "sho/bot", 128 * 8 + 1);

    let (mut state, mut actions) = (game.start(), Default::default());
    // Repetitions are not in a position: the history knows them, and `remember` ends the game for them.
    let mut history = game.begin(&state);
    let mut record = Record::new(&game, &state);
    record.players = vec!["easy".to_owned(), "random".to_owned()];
    while let Step::Decide(seat) = game.step(&state) {
        game.actions(&state, &mut actions);
        let decision =
            Decision { game: &game, state: &state, seat, actions: &actions, history: &history };
        let turn = players[seat.index()].choose(decision, &mut words);
        record.push_action(&game, seat, &state, turn);
        game.play_unchecked(&mut state, turn);
        game.remember(&mut state, &mut history);
    }
    record.close(&game, &state);
    print!("{record}");

    println!("\nafter {} turns:", state.turn() - 1);
    // Nine rows from row 9 down; the two that stand at the ends have the points a, c, e, and not b, c, d.
    for (index, row) in record.last.split(['/', ' ']).take(9).enumerate() {
        let gap = if index % 8 == 0 { "   " } else { " " };
        let row: Vec<String> = row.chars().map(String::from).collect();
        println!("{:^9}", row.join(gap));
    }
    for (seat, name) in Seat::all(2).zip(["x, easy", "o, random"]) {
        println!("{name}: {} pieces", state.pieces(seat).len());
    }
    Ok(())
}
