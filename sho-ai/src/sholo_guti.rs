//! The bots of Sholo Guti.

mod easy;

pub use easy::Easy;

use sho_core::sholo_guti::{Engine, SholoGuti, plain};

use crate::policy::{Policy, Random};
use crate::spec::{BotError, BotInfo, BotSpec, Bots};

const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "random",
        aliases: &[],
        about: "chooses uniformly among the legal turns, by path",
        options: &[],
        draws: true,
    },
    BotInfo {
        name: "easy",
        aliases: &["greedy"],
        about: "takes the most it can, and goes where the reply takes the least",
        options: &[],
        draws: false,
    },
];

fn bot<E: Engine>(spec: &BotSpec) -> Box<dyn Policy<E>> {
    match spec.name {
        "random" => Box::new(Random),
        "easy" => Box::new(Easy),
        name => unreachable!("a spec names one of the bots of Sholo Guti, not {name}"),
    }
}

macro_rules! has_bots_of_sholo_guti {
    ($engine:ty) => {
        impl Bots for $engine {
            const BOTS: &'static [BotInfo] = BOTS;
            const DEFAULT_BOT: &'static str = "easy";

            fn bot(spec: &BotSpec) -> Result<Box<dyn Policy<Self>>, BotError> {
                Ok(bot(spec))
            }
        }
    };
}

has_bots_of_sholo_guti!(SholoGuti);
has_bots_of_sholo_guti!(plain::SholoGuti);
