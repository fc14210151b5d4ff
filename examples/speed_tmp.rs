//! x
use sho::sho::{Rules, Sho};
use sho::{ActionList, BlockDice, Game, Step, Stream};

#[inline(never)]
fn play(game: &Sho, blocks: u64) -> (u64, u64) {
    let mut actions = <Sho as Game>::Actions::default();
    let (mut throws, mut games) = (0, 0);
    for block in 0..blocks {
        let mut dice = BlockDice::new(1, block);
        let mut words = sho::PerSeat::from_fn(|s| Stream::new(1, "sho/bot", 128 * block + s.index() as u64));
        let mut state = game.start();
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
                Step::Decide(seat) => {
                    game.actions(&state, &mut actions);
                    let n = actions.len() as u32;
                    let action = actions.get(if n == 1 { 0 } else { words[seat].below(n) as usize });
                    game.play_unchecked(&mut state, action);
                }
            }
        }
        throws += u64::from(state.throws());
        games += 1;
    }
    (throws, games)
}

fn main() {
    let game = Sho::new(Rules::lhasa()).unwrap();
    let n = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(2000);
    let t = std::time::Instant::now();
    let (throws, games) = play(&game, n);
    let ns = t.elapsed().as_nanos() as f64;
    println!("{throws} throws {games} games {:.1} ns a throw, mean {:.2}", ns / throws as f64, throws as f64 / games as f64);
}
