//! The board of Sholo Guti: its points with the lines between them, as it is scratched into the ground.

use sho_core::Seat;
use sho_core::Step;
use sho_core::sholo_guti::{Engine, LINES, Point, Rules, Setup, SholoGuti, Turn, plain};

use super::Show;
use super::canvas::{Canvas, Ink};

macro_rules! shows_sholo_guti {
    ($engine:ty) => {
        impl Show for $engine {
            fn picture(&self, state: &Self::State, color: bool) -> String {
                picture(self, state).text(color)
            }

            fn explain(&self, _: &Self::State, turn: Turn) -> [String; 3] {
                explain(turn)
            }

            fn sides_of(_: &str) -> Option<usize> {
                None
            }
        }
    };
}

shows_sholo_guti!(SholoGuti);
shows_sholo_guti!(plain::SholoGuti);

/// `step` or `take`, how many pieces it takes, and from which points.
fn explain(turn: Turn) -> [String; 3] {
    let kind = if turn.is_step() { "step" } else { "take" };
    let points: Vec<String> = turn.taken().iter().map(|point| point.to_string()).collect();
    let points = if points.is_empty() { "-".to_owned() } else { points.join(",") };
    [kind.to_owned(), turn.takes().to_string(), points]
}

/// Columns from one column of the board to the next.
const WIDE: usize = 4;
/// Rows from one row of the board to the next.
const HIGH: usize = 2;
/// Columns left of the board, for the numbers of its rows.
const LEFT: usize = 4;
/// The column of the legend.
const LEGEND: usize = 32;

/// Where a point is drawn.
fn place(point: Point) -> (usize, usize) {
    let column = point.column() as usize - 'a' as usize;
    (LEFT + WIDE * column, HIGH * usize::from(9 - point.row()))
}

const fn letter(seat: Seat) -> &'static str {
    match seat {
        Seat::A => "x",
        _ => "o",
    }
}

fn picture<E: Engine>(game: &E, state: &E::State) -> Canvas {
    let setup = game.setup(state);
    let mut canvas = Canvas::default();
    for line in &LINES {
        for pair in line.points().windows(2) {
            connect(&mut canvas, place(pair[0]), place(pair[1]));
        }
    }
    for point in Point::ALL {
        let (x, y) = place(point);
        match setup[point] {
            Some(seat) => canvas.put(x, y, letter(seat), Ink::Side(seat)),
            None => canvas.put(x, y, ".", Ink::Plain),
        };
    }
    for row in 1..=9u8 {
        canvas.put(0, HIGH * usize::from(9 - row), &row.to_string(), Ink::Faint);
    }
    for (index, column) in ('a'..='e').enumerate() {
        canvas.put(LEFT + WIDE * index, HIGH * 9, &column.to_string(), Ink::Faint);
    }
    for (y, line) in (HIGH * 3..).zip(legend(game, state, &setup)) {
        line.iter().fold(LEGEND, |x, (text, ink)| canvas.put(x, y, text, *ink));
    }
    canvas
}

/// Draws the line between two neighbours.
fn connect(canvas: &mut Canvas, from: (usize, usize), to: (usize, usize)) {
    let ((x, y), (end_x, end_y)) = (from.min(to), from.max(to));
    if y == end_y {
        canvas.put(x + 1, y, &"-".repeat(end_x - x - 1), Ink::Faint);
        return;
    }
    let text = match (x == end_x, y < end_y) {
        (true, _) => "|",
        (_, true) => "\\",
        _ => "/",
    };
    canvas.put(x.midpoint(end_x), y.midpoint(end_y), text, Ink::Faint);
}

/// A line of the legend, in pieces of one ink.
type Line = Vec<(String, Ink)>;

/// What the board does not show: who plays what, whose turn it is, the counts, and how it ended.
fn legend<E: Engine>(game: &E, state: &E::State, setup: &Setup) -> Vec<Line> {
    let over = game.step(state) == Step::Over;
    let mut lines = Vec::new();
    for seat in [Seat::B, Seat::A] {
        let mark = if seat == setup.mover && !over { "> " } else { "  " };
        let pieces = setup.pieces(seat).len();
        lines.push(vec![
            (mark.to_owned(), Ink::Strong),
            (letter(seat).to_owned(), Ink::Side(seat)),
            (
                format!("  side {seat}, {pieces:>2} piece{}", if pieces == 1 { "" } else { "s" }),
                Ink::Plain,
            ),
        ]);
    }
    lines.push(Line::new());
    for text in standing(game, state, setup) {
        lines.push(vec![(text, Ink::Strong)]);
    }
    let limit = game.rules().quiet_turns;
    lines.push(vec![(format!("turns without a take: {} of {limit}", setup.quiet), Ink::Faint)]);
    lines
}

/// Whose turn it is, or how the game ended.
fn standing<E: Engine>(game: &E, state: &E::State, setup: &Setup) -> Vec<String> {
    let Rules { quiet_turns, repeats, .. } = *game.rules();
    let (winner, loser) = (letter(setup.mover.next(2)), letter(setup.mover));
    match game.end(state).map(|end| E::ENDS[end]) {
        None => vec![format!("turn {}: {} moves", setup.turn, letter(setup.mover))],
        Some("taken") => vec![format!("over: {winner} won,"), format!("{loser} has no piece left")],
        Some("stuck") => vec![format!("over: {winner} won,"), format!("{loser} cannot move")],
        Some("quiet") => {
            vec!["over: a draw,".to_owned(), format!("{quiet_turns} turns without a take")]
        }
        Some(_) => {
            vec!["over: a draw,".to_owned(), format!("this position stood {repeats} times")]
        }
    }
}

#[cfg(test)]
mod tests {
    use sho_core::Game;

    use super::*;

    #[test]
    fn every_point_and_every_line_is_drawn_in_a_place_of_its_own() {
        let places = Point::ALL.map(place);
        assert!((1..places.len()).all(|index| !places[..index].contains(&places[index])));
        let game = SholoGuti::new(Rules::standard()).unwrap();
        let board = game.picture(&game.start(), false);
        let count = |letter| board.lines().map(|line| line.matches(letter).count()).sum::<usize>();
        // 76 neighbours: 32 across, of which the two bases are drawn over two columns each; upright and aslant 44.
        let (upright, aslant) = (count('|'), count('/') + count('\\'));
        assert_eq!((upright, aslant), (24, 24));
        assert_eq!(count('-'), 3 * 24 + 4 * 7);
        assert!(board.lines().all(|line| line.chars().count() <= 80));
    }
}
