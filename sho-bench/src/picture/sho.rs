//! The spiral of Sho.
//!
//! The path is laid round a rectangle: it begins at the lower left, goes up, along the top, down the right side, back
//! along the bottom, and a little way up again outside its beginning. What does not stand on the path stands inside.

use sho_core::Game;
use sho_core::Seat;
use sho_core::sho::{Action, Engine, Gap, Opening, Phase, Rules, Setup, Sho, plain};

use super::Show;
use super::canvas::{Canvas, Ink};

macro_rules! shows_sho {
    ($engine:ty) => {
        impl Show for $engine {
            fn picture(&self, state: &Self::State, color: bool) -> String {
                picture(&self.setup(state), self.rules()).text(color)
            }

            fn explain(&self, state: &Self::State, action: Action) -> [String; 3] {
                explain(self, state, action)
            }

            fn sides_of(line: &str) -> Option<usize> {
                Setup::parse(line).ok().map(|setup| setup.seats)
            }
        }
    };
}

shows_sho!(Sho);
shows_sho!(plain::Sho);

fn explain<E: Engine>(game: &E, state: &E::State, action: Action) -> [String; 3] {
    let effect = game.effect(state, action);
    let kind = effect.landing.map_or("again", |landing| landing.word());
    [kind.to_owned(), effect.coins.to_string(), effect.left.to_string()]
}

/// How many gaps lie on each stretch of the path.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// On the left side from gap 1 up, and on the right side down.
    height: usize,
    /// Along the top; along the bottom there is one more.
    width: usize,
}

/// Columns of a gap in a row: a shell, a blank, three characters for coins.
const CELL: usize = 5;
/// Columns from a number on a left side to its shell.
const TO_SHELL: usize = 3;
/// Columns from a shell to the coins behind it.
const TO_COINS: usize = 2;
/// The column of the shells at the beginning; left of it is room for the end of the path.
const INNER: usize = 12;
/// Blank columns between the path and what stands inside.
const MARGIN: usize = 2;

/// Where a gap is drawn: columns, and a row for its number and one for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    shell: usize,
    coins: usize,
    y: usize,
    number: usize,
    number_y: usize,
}

impl Layout {
    /// A layout for a spiral with gaps 1 to `gaps`, at least 7.
    fn new(gaps: usize) -> Self {
        // A tenth goes round a second time. Of the rest, 13 columns to 15 rows is what keeps the largest board within
        // 80 columns and 24 rows.
        let half = (gaps - gaps / 10 - 1) / 2;
        // With one column the two sides would fall on one another.
        let width = (half * 13 / 28).max(2);
        Self { height: half - width, width }
    }

    /// The column of the shells on the right side.
    const fn right(self) -> usize {
        INNER + CELL * (self.width - 1)
    }

    /// The row of the path along the bottom.
    const fn bottom(self) -> usize {
        self.height + 2
    }

    /// Where gap `number` lies. The gap after the last one is home.
    const fn place(self, number: usize) -> Place {
        let Self { height, width } = self;
        let mut index = number - 1;
        if index < height {
            return self.left(INNER, index);
        }
        index -= height;
        if index < width {
            let shell = INNER + CELL * index;
            return Place::in_row(shell, 1, 0);
        }
        index -= width;
        if index < height {
            let shell = self.right();
            let coins = shell + TO_COINS;
            return Place { shell, coins, y: 2 + index, number: coins + 4, number_y: 2 + index };
        }
        index -= height;
        if index <= width {
            return Place::in_row(self.right() - CELL * index, self.bottom(), self.bottom() + 1);
        }
        self.left(TO_SHELL, index - width - 1)
    }

    /// A gap on a left side, so many rows above its lower end.
    const fn left(self, shell: usize, rows: usize) -> Place {
        let y = self.bottom() - 1 - rows;
        Place { shell, coins: shell + TO_COINS, y, number: shell - TO_SHELL, number_y: y }
    }
}

impl Place {
    const fn in_row(shell: usize, y: usize, number_y: usize) -> Self {
        Self { shell, coins: shell + TO_COINS, y, number: shell + TO_COINS, number_y }
    }
}

fn picture(setup: &Setup, rules: &Rules) -> Canvas {
    let gaps = usize::from(rules.shells) - 1;
    let layout = Layout::new(gaps);
    let mut canvas = Canvas::default();
    for number in 1..=gaps {
        let stack = Gap::new(number as u8).and_then(|gap| Some((gap, setup.stack_at(gap)?)));
        let (coins, ink) = match stack {
            Some((gap, (seat, size))) => {
                let fresh = if setup.sides[seat].fresh == Some(gap) { "!" } else { "" };
                (format!("{seat}{size}{fresh}"), Ink::Side(seat))
            }
            None => (String::new(), Ink::Plain),
        };
        let place = layout.place(number);
        canvas.put(place.number, place.number_y, &format!("{number:>2}"), Ink::Faint);
        canvas.put(place.shell, place.y, "o", Ink::Faint);
        canvas.put(place.coins, place.y, &coins, ink);
    }
    let home = layout.place(gaps + 1);
    canvas.put(home.shell, home.y, "o", Ink::Faint);
    canvas.put(home.coins, home.y, "home", Ink::Plain);

    let legend = legend(setup, rules);
    let left = INNER + CELL + MARGIN;
    let columns = layout.right().saturating_sub(left + MARGIN);
    let width = legend.iter().map(width).max().unwrap_or(0);
    // The usual size decides where it stands, so that it stays there from turn to turn.
    let (usual_width, usual_height) = (38, setup.seats + 5);
    let (x, y) = if width <= columns && legend.len() + 2 <= layout.height {
        let x = columns.saturating_sub(usual_width) / 2;
        (left + x.min(columns - width), 2 + layout.height.saturating_sub(usual_height) / 2)
    } else {
        (0, canvas.height() + 1)
    };
    for (y, line) in (y..).zip(&legend) {
        line.iter().fold(x, |x, (text, ink)| canvas.put(x, y, text, *ink));
    }
    canvas
}

/// A line of the legend, in pieces of one ink.
type Line = Vec<(String, Ink)>;

fn width(line: &Line) -> usize {
    line.iter().map(|(text, _)| text.chars().count()).sum()
}

/// The names of the four sets of coins; a set for a fourth side is not part of the game as it is sold.
const COINS: [&str; 4] = ["brass", "steel", "copper", "fourth"];

/// What the path does not show: a line for each side, and whose turn it is.
fn legend(setup: &Setup, rules: &Rules) -> Vec<Line> {
    let heading = "            hand  board  home";
    let mut lines = vec![vec![(heading.to_owned(), Ink::Faint)]];
    let leader = setup.leader().filter(|_| rules.has_alliance());
    for (seat, side) in setup.sides.iter(setup.seats) {
        let board: u32 = side.stacks().map(|(_, size)| u32::from(size)).sum();
        let mut marks = Vec::new();
        match side.opening {
            Opening::Done => {}
            Opening::First => marks.push("to open"),
            Opening::Again => marks.push("to open again"),
        }
        if leader == Some(seat) {
            marks.push("leader");
        }
        if side.champion {
            marks.push("champion");
        }
        if matches!(setup.phase, Phase::Over(winners) if winners[seat]) {
            marks.push("won");
        }
        let is_due = seat == setup.mover && !matches!(setup.phase, Phase::Over(_));
        lines.push(vec![
            (if is_due { "> " } else { "  " }.to_owned(), Ink::Strong),
            (format!("{seat} {:<7}", COINS[seat.index()]), Ink::Side(seat)),
            (
                format!("{:>5}{board:>7}{:>6}  {}", side.hand, side.home, marks.join(", ")),
                Ink::Plain,
            ),
        ]);
    }
    lines.push(Line::new());
    for text in turn(setup) {
        lines.push(vec![(text, Ink::Strong)]);
    }
    let throws = if setup.throws == 1 { "throw" } else { "throws" };
    lines.push(vec![(format!("{} {throws} so far", setup.throws), Ink::Faint)]);
    lines
}

/// Whose turn it is, what is due, and what waits.
fn turn(setup: &Setup) -> Vec<String> {
    let Setup { mover, waiting, left_over, run, .. } = *setup;
    let mut lines = vec![match setup.phase {
        Phase::Throw => format!("{mover} throws"),
        Phase::Pair => format!("{mover} enters two coins in gap 2, or throws again"),
        Phase::Move => format!("{mover} chooses"),
        Phase::Over(winners) => {
            let winners: Vec<String> = Seat::all(setup.seats)
                .filter(|&seat| winners[seat])
                .map(|seat| seat.to_string())
                .collect();
            format!("over: {} won", winners.join(" and "))
        }
    }];
    if left_over > 0 {
        lines.push(format!("left over, to be used first: {left_over}"));
    }
    if !waiting.is_empty() {
        let mut plain_nines = waiting.values().count(9) - waiting.six_threes();
        let values: Vec<String> = waiting
            .values()
            .iter()
            .map(|value| match value {
                9 if plain_nines == 0 => "9 (6-3)".to_owned(),
                9 => {
                    plain_nines -= 1;
                    "9".to_owned()
                }
                value => value.to_string(),
            })
            .collect();
        lines.push(format!("waiting: {}", values.join(", ")));
    }
    if run > 0 {
        lines.push(format!("pa ras in a row: {run}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use sho_core::{Game, Notation};

    use super::*;

    #[test]
    fn no_two_gaps_lie_in_one_place_and_neighbours_touch() {
        for gaps in 7..=63 {
            let layout = Layout::new(gaps);
            let places: Vec<Place> = (1..=gaps + 1).map(|number| layout.place(number)).collect();
            for (index, place) in places.iter().enumerate() {
                for other in &places[index + 1..] {
                    let apart = place.y != other.y || place.shell.abs_diff(other.shell) >= CELL;
                    assert!(apart, "{gaps} gaps: {place:?} and {other:?}");
                }
            }
            for pair in places.windows(2) {
                let (x, y) = (pair[0].shell.abs_diff(pair[1].shell), pair[0].y.abs_diff(pair[1].y));
                assert!(x <= CELL && y <= 1, "{gaps} gaps: {pair:?}");
            }
        }
    }

    #[test]
    fn a_picture_has_at_most_80_columns_and_shows_every_stack() {
        for shells in 8..=64 {
            for sides in 2..=4 {
                let mut rules = Rules::bhutan();
                (rules.shells, rules.sides) = (shells, sides);
                let game = plain::Sho::new(rules).unwrap();
                let mut setup = Setup::start(&rules);
                // One coin of each side in turn in every gap, as far as nine coins a side go.
                for gap in 1..shells {
                    let side = &mut setup.sides[Seat::ALL[usize::from(gap % sides)]];
                    if side.hand > 0 {
                        side.opening = Opening::Done;
                        side.hand -= 1;
                        side.stacks[usize::from(gap)] = 1;
                    }
                }
                let state = game.parse_state(&setup.to_string()).unwrap();
                let picture = game.picture(&state, false);
                assert!(picture.lines().all(|line| line.chars().count() <= 80), "{picture}");
                for (seat, side) in setup.sides.iter(setup.seats) {
                    let coins = picture.matches(&format!("o {seat}1")).count();
                    assert_eq!(coins, side.stacks().count(), "{picture}");
                }
            }
        }
    }
}
