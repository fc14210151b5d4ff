//! A sheet of characters to draw on: [`Canvas`].

use sho_core::Seat;

/// What a character is drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ink {
    /// The terminal's own colour.
    #[default]
    Plain,
    /// Fainter: what is always there.
    Faint,
    /// Stronger: what matters now.
    Strong,
    /// The colour of a side's pieces: brass, steel, copper, and a fourth.
    Side(Seat),
}

impl Ink {
    /// The ANSI sequence that switches it on: bold yellow, bold cyan, bold red and bold magenta for the sides, which
    /// can be told apart on dark and on light ground.
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Faint => "\x1b[2m",
            Self::Strong => "\x1b[1m",
            Self::Side(Seat::A) => "\x1b[1;33m",
            Self::Side(Seat::B) => "\x1b[1;36m",
            Self::Side(Seat::C) => "\x1b[1;31m",
            Self::Side(Seat::D) => "\x1b[1;35m",
        }
    }
}

/// A sheet that grows as it is drawn on; blank where nothing was drawn.
///
/// ```
/// use sho_bench::picture::{Canvas, Ink};
/// let mut canvas = Canvas::default();
/// canvas.put(2, 1, "B3", Ink::Plain);
/// assert_eq!(canvas.text(false), "\n  B3\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Canvas(Vec<Vec<(char, Ink)>>);

impl Canvas {
    /// Draws `text` from column `x` of row `y` to the right, and returns the column behind it.
    pub fn put(&mut self, x: usize, y: usize, text: &str, ink: Ink) -> usize {
        if self.0.len() <= y {
            self.0.resize(y + 1, Vec::new());
        }
        let row = &mut self.0[y];
        let mut column = x;
        for letter in text.chars() {
            if row.len() <= column {
                row.resize(column + 1, (' ', Ink::Plain));
            }
            row[column] = (letter, ink);
            column += 1;
        }
        column
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.0.len()
    }

    /// The rows as lines without blanks at their ends.
    #[must_use]
    pub fn text(&self, color: bool) -> String {
        let mut text = String::new();
        for row in &self.0 {
            let end = row.iter().rposition(|&(letter, _)| letter != ' ').map_or(0, |last| last + 1);
            let mut ink = Ink::Plain;
            for &(letter, wanted) in &row[..end] {
                // A blank looks the same in every ink.
                if color && wanted != ink && letter != ' ' {
                    if ink != Ink::Plain {
                        text.push_str("\x1b[0m");
                    }
                    text.push_str(wanted.code());
                    ink = wanted;
                }
                text.push(letter);
            }
            if ink != Ink::Plain {
                text.push_str("\x1b[0m");
            }
            text.push('\n');
        }
        text
    }
}
