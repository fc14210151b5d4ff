//! What a bot is: [`Policy`]. And the simplest one: [`Random`].

use sho_core::{ActionList, Game, Seat, Stream};

/// What a seat knows when it decides.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// The game and its rules.
    pub game: &'a G,
    /// The position. It holds no dice to come: nobody can see those.
    pub state: &'a G::State,
    /// The seat that decides.
    pub seat: Seat,
    /// The legal actions, at least one, in the game's promised order.
    pub actions: &'a G::Actions,
    /// What play remembers beside the state, such as earlier positions.
    pub history: &'a G::History,
}

// Derived copies would ask the game's types to be `Copy` too.
impl<G: Game> Clone for Decision<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Decision<'_, G> {}

/// A bot: it chooses an action. Given the same decision and the same words it must choose the same, since games are
/// played again to check results.
///
/// # Examples
/// A bot that always takes the last legal action:
/// ```
/// use sho_ai::{Decision, Policy};
/// use sho_core::{ActionList, Game, Stream};
///
/// struct Last;
///
/// impl<G: Game> Policy<G> for Last {
///     fn choose(&mut self, decision: Decision<'_, G>, _: &mut Stream) -> G::Action {
///         decision.actions.get(decision.actions.len() - 1)
///     }
/// }
/// ```
pub trait Policy<G: Game>: Send {
    /// One of the legal actions. `words` is the bot's own stream for this game: a bot that draws, draws from it.
    fn choose(&mut self, decision: Decision<'_, G>, words: &mut Stream) -> G::Action;

    /// Called before the first decision of each game: forget the last one.
    fn begin(&mut self, _game: &G, _seat: Seat) {}

    /// Whether the runner may skip its check that the action is legal. Only for policies that take their action from
    /// the list: an illegal one makes the rest of that game meaningless.
    fn is_trusted(&self) -> bool {
        false
    }
}

impl<G: Game, P: Policy<G> + ?Sized> Policy<G> for Box<P> {
    fn choose(&mut self, decision: Decision<'_, G>, words: &mut Stream) -> G::Action {
        (**self).choose(decision, words)
    }

    fn begin(&mut self, game: &G, seat: Seat) {
        (**self).begin(game, seat);
    }

    fn is_trusted(&self) -> bool {
        (**self).is_trusted()
    }
}

/// Chooses uniformly among the legal actions. With one legal action it draws nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random;

impl<G: Game> Policy<G> for Random {
    #[inline]
    fn choose(&mut self, decision: Decision<'_, G>, words: &mut Stream) -> G::Action {
        let actions = decision.actions;
        actions.get(words.below(actions.len() as u32) as usize)
    }

    fn is_trusted(&self) -> bool {
        true
    }
}
