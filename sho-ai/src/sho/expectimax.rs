//! The bot that looks ahead, as text: its options, and how far they let it look.
//!
//! It is an [`Expectimax`](crate::search::expectimax::Expectimax) with the evaluation of another bot.

use crate::search::alphabeta::Limits;
use crate::search::expectimax::MAX_DEPTH;
use crate::spec::{BotError, BotInfo, BotSpec};

/// The bot, with the options that say how far it looks.
pub const INFO: BotInfo = BotInfo {
    name: "expectimax",
    aliases: &[],
    about: "looks ahead over throws and decisions as far as it is told, and judges what it sees by what hard looks at",
    options: &[
        (
            "depth",
            "decisions to look ahead, each with its throw, 1 to 6; 2 where neither option is given",
        ),
        ("nodes", "positions to judge before it stops looking further, from 1"),
        #[cfg(feature = "serde")]
        (
            "weights",
            "a file with a whole number for each weight, as for weighted; its own where none is given",
        ),
    ],
    draws: false,
};

/// How far the bot looks ahead by default: some microseconds a decision.
const DEPTH: u32 = 2;

/// The deepest that can be asked for: the next is ten times as long, and this takes seconds a decision.
const DEEPEST: u32 = 6;

/// The most positions that can be asked for: days of them for a single decision.
const MAX_NODES: u64 = 1_000_000_000_000;

/// How far a spec says that the bot looks ahead.
///
/// # Errors
/// Where a value is not possible.
///
/// # Examples
/// ```
/// use sho_ai::BotSpec;
/// use sho_ai::search::alphabeta::Limits;
/// use sho_ai::sho::expectimax::{INFO, limits};
///
/// let spec = |options: &[(&str, &str)]| BotSpec {
///     name: INFO.name,
///     options: options.iter().map(|&(name, value)| (name.into(), value.into())).collect(),
/// };
/// assert_eq!(limits(&spec(&[]))?, Limits::depth(2));
/// assert_eq!(limits(&spec(&[("depth", "3")]))?, Limits::depth(3));
/// assert_eq!(limits(&spec(&[("nodes", "500")]))?.nodes, 500);
/// let error = limits(&spec(&[("depth", "0")])).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "bot expectimax: depth cannot be `0`; possible: a number from 1 to 6"
/// );
/// # Ok::<(), sho_ai::BotError>(())
/// ```
pub fn limits(spec: &BotSpec) -> Result<Limits, BotError> {
    let nodes = spec.number("nodes", 1..=MAX_NODES)?;
    let depth = spec.number("depth", 1..=DEEPEST.into())?.map(|depth| depth as u32);
    Ok(Limits {
        depth: depth.unwrap_or(if nodes.is_some() { MAX_DEPTH } else { DEPTH }),
        nodes: nodes.unwrap_or(u64::MAX),
    })
}
