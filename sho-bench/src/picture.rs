//! Positions and actions as people look at them: [`Show`], and the [`Canvas`] that pictures are drawn on.
//!
//! A picture is text of at most 80 columns. Sides are told apart by letters; colours only add to them.

mod canvas;
mod sho;
mod sholo_guti;

pub use canvas::{Canvas, Ink};

use sho_core::Game;

/// A game that can be shown to people.
///
/// ```
/// use sho_bench::picture::Show;
/// use sho_core::{Game, Notation, sho::{Rules, Sho}};
/// let game = Sho::new(Rules::lhasa())?;
/// let position = game.parse_state("7+0:10x2!/9+0o:-/9+0o:- B throw - 0 1")?;
/// assert!(game.picture(&position, false).contains("A2!"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Show: Game {
    /// The position drawn in lines, each with its line end; with ANSI colours where `color` says so.
    fn picture(&self, state: &Self::State, color: bool) -> String;

    /// What a legal action does: its kind in a word, how many pieces, and what else is worth knowing (`-` for nothing).
    /// In Sho the coins that move and the values left to be used in this turn; in Sholo Guti the pieces taken and the
    /// points where they stood.
    fn explain(&self, state: &Self::State, action: Self::Action) -> [String; 3];

    /// The number of sides in a position line, where that can be told; nothing where the line is none, or where every
    /// line of the game has the same.
    fn sides_of(line: &str) -> Option<usize>;
}
