//! Pictures of results as SVG: [`study_pictures`], [`tournament_pictures`].
//!
//! A picture is a function of its result: the same bytes on every platform. No font of the machine is measured; the room of
//! a text is estimated from a fixed table of widths. Colours are those of Okabe and Ito, which the colour-blind tell apart,
//! and never say anything alone: a mark has a shape and a line a dash as well, so that pictures can be printed in grey. In
//! the order in which the modules build on one another:
//!
//! - `text`, `svg`: how wide a text is; elements and their escapes.
//! - `palette`, `scale`, `frame`: marks and dashes; axes with ticks that have room; titles and legends.
//! - [`Forest`], [`Dots`], [`Lengths`]: one kind of picture each, of plain data.
//! - `of_study`, `of_tournament`: which pictures a result has.

mod dots;
mod forest;
mod frame;
mod lengths;
mod of_study;
mod of_tournament;
mod of_tune;
mod palette;
mod plane;
mod scale;
mod svg;
mod text;

pub use dots::{Dot, DotPanel, DotRow, Dots};
pub use forest::{Forest, ForestPoint, ForestRow};
pub use frame::Heading;
pub use lengths::{LengthLine, LengthPanel, Lengths};
pub use of_study::study_pictures;
pub use of_tournament::tournament_pictures;
pub use of_tune::tune_pictures;
pub use plane::{Plane, PlanePoint, PlaneSeries, Reference};
pub use svg::{Picture, escaped};
pub use text::{Weight, text_width};
