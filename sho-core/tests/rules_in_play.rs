//! Rules that random play seldom reaches, each in a position made for it. What should follow was worked out from the
//! rules on paper, not by running an engine.

use sho_core::sho::{Engine, Rules, Sho, plain};
use sho_core::{ActionList, Notation, RuleSet, Step};

/// Rules from a preset's name and `name=value` words, two sides unless they say otherwise.
fn rules(text: &str) -> Rules {
    let mut words = text.split(' ');
    let mut rules = Rules::preset(words.next().unwrap()).unwrap();
    rules.sides = 2;
    for assignment in words {
        rules.assign(assignment).unwrap();
    }
    rules
}

fn game<E: Engine>(text: &str) -> E {
    E::new(rules(text)).unwrap()
}

fn state<E: Engine>(game: &E, position: &str) -> E::State {
    game.parse_state(position).unwrap_or_else(|error| panic!("{position}: {error}"))
}

/// In this position these are the legal actions, all of them, in order.
fn offers<E: Engine>(rules: &str, position: &str, expected: &str) {
    let game = game::<E>(rules);
    let state = state(&game, position);
    let mut actions = E::Actions::default();
    game.actions(&state, &mut actions);
    let found: Vec<String> =
        actions.iter().map(|action| game.action_text(&state, action)).collect();
    assert_eq!(found.join(" "), expected, "{rules}: {position}");
}

/// Steps, throws or actions, lead from one position to another.
fn leads<E: Engine>(rules: &str, position: &str, steps: &str, expected: &str) {
    let game = game::<E>(rules);
    let mut state = state(&game, position);
    for text in steps.split(' ') {
        match game.step(&state) {
            Step::Over => panic!("{rules}: {position}: over before {text}"),
            Step::Chance(_) => game.cast(&mut state, game.parse_outcome(text).unwrap()).unwrap(),
            Step::Decide(_) => {
                let action = game
                    .parse_action(&state, text)
                    .unwrap_or_else(|error| panic!("{rules}: {position}: {error}"));
                game.play(&mut state, action).unwrap();
            }
        }
    }
    assert_eq!(game.state_text(&state), expected, "{rules}: {position}, {steps}");
    // And nothing is left in the state that the line does not say.
    assert!(game.parse_state(expected).unwrap() == state, "{rules}: {position}, {steps}");
}

/// The game has ended this way and pays these twelfths.
fn pays<E: Engine>(rules: &str, position: &str, step: &str, end: &str, payoffs: &[u32]) {
    let game = game::<E>(rules);
    let mut state = state(&game, position);
    match game.step(&state) {
        Step::Decide(_) => {
            let action = game.parse_action(&state, step).unwrap();
            game.play(&mut state, action).unwrap();
        }
        _ => game.cast(&mut state, game.parse_outcome(step).unwrap()).unwrap(),
    }
    assert_eq!(game.end(&state).map(|end| E::ENDS[end]), Some(end), "{rules}: {position}");
    assert_eq!(game.payoffs(&state).as_slice(game.seats()), payoffs, "{rules}: {position}");
}

// ---- The alliance --------------------------------------------------------------------------------------------------

fn allies_spare_one_another<E: Engine>() {
    let bhutan = "bhutan sides=3";
    // A leads with five home. B's stack cannot land on C's.
    offers::<E>(bhutan, "2+5:40x2/5+1:25x3/7+0:30x2 B move 5 0 50", "@5");
    // Without the alliance, and with a leader of four or of equal rank, it can.
    let free = "@5 25>30";
    offers::<E>("general sides=3", "2+5:40x2/5+1:25x3/7+0:30x2 B move 5 0 50", free);
    offers::<E>(bhutan, "3+4:40x2/5+1:25x3/7+0:30x2 B move 5 0 50", free);
    offers::<E>(bhutan, "2+5:40x2/1+5:25x3/7+0:30x2 B move 5 0 50", free);
    // The leader has no allies, and its own stacks may be hit.
    offers::<E>(bhutan, "2+5:25x2/6+1:30x2/9+0o:- A move 5 0 50", free);
    offers::<E>(bhutan, "2+5:30x2/5+1:25x3/9+0o:- B move 5 0 50", free);
    // An entry, a pair, an opening and a six-three spare an ally too; each loses the throw here.
    for (position, throw, expected) in [
        ("4+5:-/9+0:-/8+0:5x1 B throw - 0 50", "3-2", "4+5:-/9+0:-/8+0:5x1 C throw - 0 51"),
        ("4+5:-/7+0:7x2!/9+0o:- C throw - 0 50", "6-1", "4+5:-/7+0:7x2!/9+0o:- A throw - 0 51"),
        ("4+5:-/9+0:-/7+0:9x2 B throw - 0 50", "6-3", "4+5:-/9+0:-/7+0:9x2 C throw - 0 51"),
        // No pair: the 2 waits, and B throws again.
        ("4+5:-/7+0:20x2/8+0:2x1 B throw - 0 50", "1-1", "4+5:-/7+0:20x2/8+0:2x1 B throw 2 1 51"),
    ] {
        leads::<E>(bhutan, position, throw, expected);
    }
}

fn the_leader_is_derived_after_each_action<E: Engine>() {
    let spend_each = "bhutan sides=3 pa-ra=spend-each";
    let before = "2+5:40x2/2+4:20x2,60x1/8+0:25x1 B move 4,5 0 50";
    // While A leads B cannot hit C in 25.
    offers::<E>(
        spend_each,
        before,
        "@4=4 @5=5 @9=4+5 20>24=4 20>29=4+5 60>home=4 60>home=5 60>home=4+5",
    );
    // With five home B draws level: nobody leads, and C is no ally any more.
    let level = "2+5:40x2/2+5:20x2/8+0:25x1 B move 5 0 50";
    leads::<E>(spend_each, before, "60>home=4", level);
    offers::<E>(spend_each, level, "@5 20>25");
    leads::<E>(spend_each, level, "20>25", "2+5:40x2/2+5:25x2/9+0:- B throw - 0 50");
}

fn who_kills_a_stack_of_the_leader_is_a_champion<E: Engine>() {
    let bhutan = "bhutan sides=3";
    leads::<E>(
        bhutan,
        "2+5:30x2/5+1:25x3/9+0o:- B move 5 0 50",
        "25>30",
        "4+5:-/5+1c:30x3/9+0o:- B throw - 0 50",
    );
    // By an opening: the stack was fresh, so A opens again.
    leads::<E>(
        bhutan,
        "2+5:7x2!/9+0:-/9+0o:- C move 7 0 50",
        "open@7",
        "4+5r:-/9+0:-/6+0c:7x3! A throw - 0 50",
    );
    // By a six-three.
    offers::<E>(bhutan, "2+5:9x2/9+0:-/9+0:- C move 9* 0 50", "all@9");
    leads::<E>(
        bhutan,
        "2+5:9x2/9+0:-/9+0:- C move 9* 0 50",
        "all@9",
        "4+5:-/9+0:-/0+0c:9x9 C throw - 0 50",
    );
    // There may be two; and a kill by the leader, or without one, makes none.
    leads::<E>(
        bhutan,
        "2+5:30x2/6+0c:50x3/6+1:25x2 C move 5 0 50",
        "25>30",
        "4+5:-/6+0c:50x3/6+1c:30x2 C throw - 0 50",
    );
    leads::<E>(
        bhutan,
        "2+5:25x2/6+1:30x2/9+0o:- A move 5 0 50",
        "25>30",
        "2+5:30x2/8+1:-/9+0o:- A throw - 0 50",
    );
    leads::<E>(
        bhutan,
        "3+4:30x2/5+1:25x3/9+0o:- B move 5 0 50",
        "25>30",
        "5+4:-/5+1:30x3/9+0o:- B throw - 0 50",
    );
    // The mark stays when its owner takes the lead.
    leads::<E>(
        bhutan,
        "2+5:40x2/2+4c:60x3/9+0o:- B move 4 0 50",
        "60>home",
        "2+5:40x2/2+7c:-/9+0o:- C throw - 0 50",
    );
}

fn a_champion_pays_a_coin_back_and_then_wins<E: Engine>() {
    let bhutan = "bhutan sides=3";
    // The last coin would go home with 1 to spare: one goes back to the hand, mark and left-over are gone.
    leads::<E>(
        bhutan,
        "2+5:40x2/0+8c:60x1/9+0o:- B move 5 0 50",
        "60>home",
        "2+5:40x2/1+8:-/9+0o:- C throw - 0 50",
    );
    // Of three coins that arrive together one goes back.
    leads::<E>(
        bhutan,
        "2+5:40x2/0+6c:60x3/9+0o:- B move 5 0 50",
        "60>home",
        "2+5:40x2/1+8:-/9+0o:- C throw - 0 50",
    );
    // The turn goes on as after going home.
    leads::<E>(
        "bhutan sides=3 pa-ra=spend-each",
        "2+5:40x2/0+8c:60x1/9+0o:- B move 4,5 0 50",
        "60>home=4",
        "2+5:40x2/1+8:-/9+0o:- B move 5 0 50",
    );
    // The next time it wins, with 4 to spare that nobody uses.
    leads::<E>(
        bhutan,
        "2+5:40x2/0+8:63x1/9+0o:- B move 5 0 60",
        "63>home",
        "2+5:40x2/0+9:-/9+0o:- B over:B - 0 60",
    );
}

// ---- Three pa ras --------------------------------------------------------------------------------------------------

fn three_pa_ras_win_where_they_do<E: Engine>() {
    let before = "7+0:8x2!/9+0o:- A throw 2,2 2 10";
    leads::<E>("tomoaki", before, "1-1", "7+0:8x2!/9+0o:- A over:A - 3 11");
    pays::<E>("tomoaki", before, "1-1", "three_pa_ra", &[12, 0]);
    // Before there could be talk of a pair.
    leads::<E>("general three-pa-ra-wins=yes", before, "1-1", "7+0:8x2!/9+0o:- A over:A - 3 11");
    // Not elsewhere: there the third waits like the others.
    leads::<E>("lhasa", before, "1-1", "7+0:8x2!/9+0o:- A throw 2,2,2 3 11");
    // Any other throw breaks the run, even where the turn goes on; here by a kill.
    leads::<E>(
        "tomoaki",
        "6+0:8x3/7+0:13x2 A throw 2,2 2 10",
        "4-1 8>13=5 1-1",
        "6+0:13x3/9+0:- A throw 2,2,2 1 12",
    );
    // An action does not: a kill by the third 2 in a row, and the run goes on.
    leads::<E>(
        "general three-pa-ra-wins=yes",
        "7+0:8x2/8+0:2x1 A throw - 0 10",
        "1-1 pair@2 1-1 again 1-1",
        "5+0:2x2,8x2/9+0:- A over:A - 3 13",
    );
    // A pa ra that finds no room is lost, but it counts.
    leads::<E>("tomoaki waiting-limit=3", before, "1-1", "7+0:8x2!/9+0o:- A over:A - 3 11");
    // The next turn begins a run of its own.
    leads::<E>(
        "tomoaki",
        "7+0:8x2/7+0:20x2 A throw 2,2 2 10",
        "3-2 8>17=2+2+5",
        "7+0:17x2/7+0:20x2 B throw - 0 11",
    );
}

// ---- The cap -------------------------------------------------------------------------------------------------------

fn at_the_cap_the_most_coins_home_win<E: Engine>() {
    let four = "general sides=4 max-throws=40";
    // The turn had ended: the next side, run 0.
    let two = "5+2:20x2/5+2:30x2/6+1:40x2/9+0o:- A move 5 0 40";
    leads::<E>(four, two, "20>25", "5+2:25x2/5+2:30x2/6+1:40x2/9+0o:- B over:AB - 0 40");
    pays::<E>(four, two, "20>25", "cap", &[6, 6, 0, 0]);
    // In mid-turn, after a kill that would have earned a throw.
    leads::<E>(
        four,
        "6+1:20x2/5+2:25x2/6+1:40x2/9+0o:- A move 5 0 40",
        "20>25",
        "6+1:25x2/7+2:-/6+1:40x2/9+0o:- A over:B - 0 40",
    );
    // Three and four winners.
    pays::<E>(
        four,
        "5+2:20x2/6+1:30x2/5+2:40x2/7+2:- A move 5 0 40",
        "20>25",
        "cap",
        &[4, 0, 4, 4],
    );
    pays::<E>(four, "7+0:20x2/9+0o:-/9+0o:-/9+0o:- A move 5 0 40", "20>25", "cap", &[3, 3, 3, 3]);
    // One, and the last throw may still bring a side home.
    pays::<E>(four, "4+3:20x2/5+2:30x2/9+0:-/9+0o:- A move 5 0 40", "@5", "cap", &[12, 0, 0, 0]);
    pays::<E>(
        four,
        "0+8:60x1/5+2:30x2/9+0:-/9+0o:- A move 5 0 40",
        "60>home",
        "home",
        &[12, 0, 0, 0],
    );
    // A pa ra as the last throw would throw again: what waits is gone, mover and run stay.
    leads::<E>(
        "lhasa max-throws=40",
        "7+0:8x2/9+0o:- A throw 5 0 39",
        "1-1",
        "7+0:8x2/9+0o:- A over:AB - 1 40",
    );
    // The pair is still a choice at the cap; throwing again is not.
    let pair = "7+0:8x2/9+0o:- A pair 2 1 40";
    offers::<E>("general max-throws=40", pair, "pair@2 again");
    leads::<E>("general max-throws=40", pair, "again", "7+0:8x2/9+0o:- A over:AB - 1 40");
    leads::<E>("general max-throws=40", pair, "pair@2", "5+0:2x2,8x2/9+0o:- B over:AB - 0 40");
    // The shortest game that there is.
    leads::<E>(
        "lhasa max-throws=1",
        "9+0o:-/9+0o:- A throw - 0 0",
        "6-1 open@7",
        "7+0:7x2!/9+0o:- B over:AB - 0 1",
    );
}

// ---- Waiting values ------------------------------------------------------------------------------------------------

fn no_more_values_wait_than_may<E: Engine>() {
    let three = "lhasa waiting-limit=3";
    let two_wait = "7+0:8x2/9+0o:- A throw 2,7 0 10";
    // With two of three waiting a pa ra is lost; throw and run count.
    leads::<E>(three, two_wait, "1-1", "7+0:8x2/9+0o:- A throw 2,7 1 11");
    leads::<E>(three, two_wait, "6-4", "7+0:8x2/9+0o:- A move 2,7,10 0 11");
    leads::<E>("lhasa waiting-limit=4", two_wait, "1-1", "7+0:8x2/9+0o:- A throw 2,2,7 1 11");
    // Eight of nine.
    leads::<E>(
        "lhasa",
        "7+0:8x2/9+0o:- A throw 2,2,2,2,2,2,2,2 8 10",
        "1-1",
        "7+0:8x2/9+0o:- A throw 2,2,2,2,2,2,2,2 9 11",
    );
    // No pair either for a pa ra that is lost.
    let general = "general waiting-limit=2";
    leads::<E>(general, "7+0:8x2/9+0o:- A throw - 0 10", "1-1", "7+0:8x2/9+0o:- A pair 2 1 11");
    leads::<E>(general, "7+0:8x2/9+0o:- A throw 2 1 11", "1-1", "7+0:8x2/9+0o:- A throw 2 2 12");
}

fn how_waiting_values_are_used<E: Engine>() {
    let position = "5+0:8x2,20x2/9+0o:- A move 2,5 0 9";
    offers::<E>(
        "lhasa",
        position,
        "@2=2 @5=5 @7=2+5 8>10=2 8>13=5 8>15=2+5 20>22=2 20>25=5 20>27=2+5",
    );
    // Each may be spent, and must, while it can be used.
    leads::<E>("lhasa", position, "8>10=2", "5+0:10x2,20x2/9+0o:- A move 5 0 9");
    leads::<E>("lhasa", position, "8>15=2+5", "5+0:15x2,20x2/9+0o:- B throw - 0 9");
    // One choice, and what still waits is lost.
    leads::<E>("general", position, "8>10=2", "5+0:10x2,20x2/9+0o:- B throw - 0 9");
    // A kill or a join earns a throw in both readings, and what is not spent goes on waiting.
    for rules in ["lhasa", "general"] {
        leads::<E>(
            rules,
            "5+0:8x2,20x2/8+0:10x1 A move 2,5 0 9",
            "8>10=2",
            "5+0:10x2,20x2/9+0:- A throw 5 0 9",
        );
        leads::<E>(
            rules,
            "5+0:8x2,10x2/8+0:30x1 A move 2,5 0 9",
            "8>10=2",
            "5+0:10x4/8+0:30x1 A throw 5 0 9",
        );
    }
    // Without throws for joins a join is as good as a quiet move.
    let join = "5+0:8x2,10x2/8+0:30x1 A move 2,5 0 9";
    leads::<E>("lhasa join-throws=no", join, "8>10=2", "5+0:10x4/8+0:30x1 A move 5 0 9");
    leads::<E>("general join-throws=no", join, "8>10=2", "5+0:10x4/8+0:30x1 B throw - 0 9");
    // What waits and can be used by nothing is lost: after @2 nobody can land on the big stacks in 5, 7 and 13.
    leads::<E>(
        "lhasa",
        "1+6:8x2/0+0:5x2,7x4,13x3 A move 2,5 0 70",
        "@2=2",
        "0+6:2x1,8x2/0+0:5x2,7x4,13x3 B throw - 0 70",
    );
    // Equal sums of different values are different actions: they leave different values.
    offers::<E>(
        "lhasa",
        "0+7:10x2/9+0o:- A move 2,2,4 0 33",
        "10>12=2 10>14=2+2 10>14=4 10>16=2+4 10>18=2+2+4",
    );
    leads::<E>(
        "lhasa",
        "0+7:10x2/9+0o:- A move 2,2,4 0 33",
        "10>14=4",
        "0+7:14x2/9+0o:- A move 2,2 0 33",
    );
    // Eight pa ras and a 12 pass the last shell of a small board from the first gap.
    leads::<E>(
        "lhasa shells=8",
        "0+8:1x1/9+0o:- A move 2,2,2,2,2,2,2,2,12 0 33",
        "1>home=2+2+2+2+2+2+2+2+12",
        "0+9:-/9+0o:- A over:A - 0 33",
    );
}

// ---- The left-over -------------------------------------------------------------------------------------------------

fn a_left_over_is_used_at_once<E: Engine>() {
    let chain = "0+7:60x1,61x1/2+3:5x1,40x3 A move >5 0 90";
    offers::<E>("bhutan", chain, "60>home 61>home");
    // A left-over may leave a left-over: 1 from 60, 2 from 61. The single possible way is still an action.
    leads::<E>("bhutan", chain, "60>home", "0+8:61x1/2+3:5x1,40x3 A move >1 0 90");
    offers::<E>("bhutan", "0+8:61x1/2+3:5x1,40x3 A move >1 0 90", "61>62");
    leads::<E>("bhutan", chain, "60>home 61>62", "0+8:62x1/2+3:5x1,40x3 B throw - 0 90");
    leads::<E>("bhutan", chain, "61>home", "0+8:60x1/2+3:5x1,40x3 A move >2 0 90");
    leads::<E>("bhutan", chain, "61>home 60>62", "0+8:62x1/2+3:5x1,40x3 B throw - 0 90");
    // The last coin wins, whatever it has to spare.
    leads::<E>(
        "bhutan",
        "0+8:60x1/2+3:5x1,40x3 A move >5 0 90",
        "60>home",
        "0+9:-/2+3:5x1,40x3 A over:A - 0 90",
    );
    // By an entry; and where nothing is possible it is lost.
    offers::<E>("bhutan", "2+7:-/9+0o:- A move >5 0 60", "@5");
    leads::<E>(
        "bhutan",
        "2+5:60x2/7+0:5x2 A move 9 0 60",
        "60>home",
        "2+7:-/7+0:5x2 B throw - 0 60",
    );
    // Landing just past the last shell leaves nothing.
    leads::<E>("bhutan", "2+5:60x2/9+0o:- A move 4 0 60", "60>home", "2+7:-/9+0o:- B throw - 0 60");
    // Nor does it where the house does not use it.
    leads::<E>(
        "general",
        "2+5:60x2/9+0o:- A move 9 0 60",
        "60>home",
        "2+7:-/9+0o:- B throw - 0 60",
    );
}

fn a_left_over_goes_before_what_waits<E: Engine>() {
    let spend_each = "bhutan pa-ra=spend-each";
    let before = "1+5:20x1,60x2/8+0:23x1 A move 3,6 0 60";
    let due = "1+7:20x1/8+0:23x1 A move 3,>2 0 60";
    leads::<E>(spend_each, before, "60>home=6", due);
    offers::<E>(spend_each, due, "@2 20>22");
    leads::<E>(spend_each, due, "20>22", "1+7:22x1/8+0:23x1 A move 3 0 60");
    leads::<E>(spend_each, due, "@2", "0+7:2x1,20x1/8+0:23x1 A move 3 0 60");
    // After one choice of a side that may choose once the turn is over, the left-over apart.
    leads::<E>("bhutan", before, "60>home=6", due);
    leads::<E>("bhutan", due, "20>22", "1+7:22x1/8+0:23x1 B throw - 0 60");
    // A kill or a join by it earns a throw as usual, and what waits goes on waiting.
    for rules in ["bhutan", spend_each] {
        leads::<E>(
            rules,
            "1+7:20x1/8+0:22x1 A move 3,>2 0 60",
            "20>22",
            "1+7:22x1/9+0:- A throw 3 0 60",
        );
        leads::<E>(
            rules,
            "1+6:20x1,22x1/8+0:23x1 A move 3,>2 0 60",
            "20>22",
            "1+6:22x2/8+0:23x1 A throw 3 0 60",
        );
    }
}

// ---- Openings ------------------------------------------------------------------------------------------------------

fn what_an_opening_brings<E: Engine>() {
    let first = "9+0o:-/9+0o:- A move 7 0 1";
    leads::<E>("lhasa", first, "open@7", "7+0:7x2!/9+0o:- B throw - 0 1");
    leads::<E>("lhasa opening-coins=1", first, "open@7", "8+0:7x1!/9+0o:- B throw - 0 1");
    leads::<E>("lhasa opening-coins=3", first, "open@7", "6+0:7x3!/9+0o:- B throw - 0 1");
    let with_three = "9+0o:-/9+0o:- A move 3 0 1";
    leads::<E>("lhasa", with_three, "open@3", "6+0:3x3!/9+0o:- B throw - 0 1");
    leads::<E>("lhasa opening-coins=1", with_three, "open@3", "6+0:3x3!/9+0o:- B throw - 0 1");
    leads::<E>("general", with_three, "open@3", "7+0:3x2!/9+0o:- B throw - 0 1");
    leads::<E>("qinghai", with_three, "open@3", "7+0:3x2!/9+0o:- B throw - 0 1");
    leads::<E>(
        "qinghai",
        "9+0o:-/9+0o:- A move 12 0 1",
        "open@12",
        "6+0:12x3!/9+0o:- B throw - 0 1",
    );
    // In `lhasa` a pa ra opens at once, with three.
    leads::<E>(
        "lhasa",
        "9+0o:-/9+0o:- A throw - 0 0",
        "1-1 open@2",
        "6+0:2x3!/9+0o:- B throw - 0 1",
    );
    // Never more than the hand holds.
    leads::<E>(
        "lhasa reopen=nothing-out",
        "2+7r:-/9+0o:- A move 3 0 80",
        "open@3",
        "0+7:3x2!/9+0o:- B throw - 0 80",
    );
    leads::<E>(
        "lhasa reopen=nothing-out",
        "1+8r:-/9+0o:- A move 7 0 80",
        "open@7",
        "0+8:7x1!/9+0o:- B throw - 0 80",
    );
    // A sum of what waits counts as one distance; here for a side that throws again after a pa ra.
    leads::<E>(
        "general",
        "9+0o:-/9+0o:- A throw 2 1 1",
        "4-1 open@7=2+5",
        "7+0:7x2!/9+0o:- B throw - 0 2",
    );
    // A refused opening loses the throw, and the side opens next time.
    leads::<E>("lhasa", "6+0:10x3/9+0o:- B throw - 0 5", "6-4", "6+0:10x3/9+0o:- A throw - 0 6");
    leads::<E>("lhasa", "5+0:2x4/9+0o:- B throw - 0 5", "1-1", "5+0:2x4/9+0o:- A throw - 0 6");
    // On a small board the total must be a gap.
    leads::<E>(
        "lhasa shells=8",
        "9+0o:-/9+0o:- A throw - 0 0",
        "4-4",
        "9+0o:-/9+0o:- B throw - 0 1",
    );
}

fn opening_clashes<E: Engine>() {
    // Against a fresh stack three come, and kill; in `lhasa` such a kill throws.
    leads::<E>("lhasa", "7+0:8x2!/9+0o:- B move 8 0 1", "open@8", "9+0:-/6+0:8x3! B throw - 0 1");
    leads::<E>("lhasa", "6+0:8x3!/9+0o:- B move 8 0 1", "open@8", "9+0:-/6+0:8x3! B throw - 0 1");
    // Three are not enough against four.
    leads::<E>("lhasa", "5+0:8x4!/9+0o:- B throw - 0 1", "4-4", "5+0:8x4!/9+0o:- A throw - 0 2");
    // Against any other stack the usual number comes.
    leads::<E>("lhasa", "6+0:8x3/9+0o:- B throw - 0 5", "4-4", "6+0:8x3/9+0o:- A throw - 0 6");
    leads::<E>("lhasa", "7+0:8x2/9+0o:- B move 8 0 5", "open@8", "9+0:-/7+0:8x2! B throw - 0 5");
    leads::<E>("lhasa", "6+0:3x3/9+0o:- B move 3 0 5", "open@3", "9+0:-/6+0:3x3! B throw - 0 5");
    // One more than the stack there; such a kill ends the turn, and the owner opens again.
    leads::<E>(
        "general",
        "7+0:8x2!/9+0o:- B move 8 0 1",
        "open@8",
        "9+0r:-/6+0:8x3! A throw - 0 1",
    );
    leads::<E>(
        "general",
        "5+0:8x4!/9+0o:- B move 8 0 3",
        "open@8",
        "9+0r:-/4+0:8x5! A throw - 0 3",
    );
    // Or what it would have brought, if more.
    leads::<E>(
        "general opening-coins=3",
        "8+0:8x1!/9+0o:- B move 8 0 3",
        "open@8",
        "9+0r:-/6+0:8x3! A throw - 0 3",
    );
    leads::<E>(
        "lhasa opening-coins=1",
        "8+0:8x1!/9+0o:- B move 8 0 3",
        "open@8",
        "9+0:-/6+0:8x3! B throw - 0 3",
    );
    // But never more than the hand: three against four are refused, four against four kill.
    leads::<E>(
        "general",
        "5+0:8x4!/3+6r:- B throw - 0 70",
        "4-4",
        "5+0:8x4!/3+6r:- A throw - 0 71",
    );
    leads::<E>(
        "general",
        "5+0:8x4!/4+5r:- B move 8 0 70",
        "open@8",
        "9+0r:-/0+5:8x4! A throw - 0 70",
    );
    // Where stacks need bigger ones, three against three are refused, and one more is always enough.
    leads::<E>(
        "lhasa kill=stacks-need-bigger",
        "6+0:8x3!/9+0o:- B throw - 0 1",
        "4-4",
        "6+0:8x3!/9+0o:- A throw - 0 2",
    );
    leads::<E>(
        "darjeeling",
        "6+0:8x3!/9+0o:- B move 8 0 1",
        "open@8",
        "9+0:-/5+0:8x4! B throw - 0 1",
    );
    // The run of pa ras lasts through an opening that kills.
    leads::<E>(
        "lhasa",
        "6+0:2x3!/9+0o:- B throw - 0 4",
        "1-1 open@2",
        "9+0:-/6+0:2x3! B throw - 1 5",
    );
}

fn when_a_stack_is_fresh<E: Engine>() {
    // It is until it moves or is joined.
    leads::<E>("lhasa", "7+0:8x2!/9+0o:- A move 5 0 5", "8>13", "7+0:13x2/9+0o:- B throw - 0 5");
    leads::<E>("lhasa", "7+0:8x2!/9+0o:- A move 8 0 5", "@8", "6+0:8x3/9+0o:- A throw - 0 5");
    leads::<E>("lhasa", "7+0:8x2!/9+0o:- A move 5 0 5", "@5", "6+0:5x1,8x2!/9+0o:- B throw - 0 5");
}

fn who_opens_again<E: Engine>() {
    // Nobody in `lhasa`: a side that lost its opening stack enters single coins.
    leads::<E>("lhasa", "7+0:8x2!/7+0:3x2 B move 5 0 3", "3>8", "9+0:-/7+0:8x2 B throw - 0 3");
    offers::<E>("lhasa", "9+0:-/7+0:8x2 A move 5 0 9", "@5");
    // With `opening-killed`: a side whose fresh stack is killed, by whatever, and which has nothing else out.
    leads::<E>("general", "7+0:8x2!/7+0:3x2 B move 5 0 3", "3>8", "9+0r:-/7+0:8x2 B throw - 0 3");
    leads::<E>("general", "7+0:8x2/7+0:3x2 B move 5 0 3", "3>8", "9+0:-/7+0:8x2 B throw - 0 3");
    leads::<E>(
        "general",
        "6+0:5x1,8x2!/7+0:3x2 B move 5 0 3",
        "3>8",
        "8+0:5x1/7+0:8x2 B throw - 0 3",
    );
    leads::<E>(
        "general",
        "6+0:5x1,8x2!/7+0:3x2 B move 2 0 3",
        "3>5",
        "7+0:8x2!/7+0:5x2 B throw - 0 3",
    );
    // With `nothing-out`: a side that begins its turn with nothing out; not before.
    let nothing_out = "lhasa reopen=nothing-out";
    leads::<E>(nothing_out, "7+0:8x2/7+0:3x2 B move 5 0 3", "3>8", "9+0:-/7+0:8x2 B throw - 0 3");
    leads::<E>(nothing_out, "9+0:-/7+0:8x2 B move 5 0 9", "8>13", "9+0r:-/7+0:13x2 A throw - 0 9");
    leads::<E>(
        nothing_out,
        "9+0r:-/7+0:13x2 A move 5 0 9",
        "open@5",
        "7+0:5x2!/7+0:13x2 B throw - 0 9",
    );
    leads::<E>(nothing_out, "9+0o:-/7+0:8x2 B move 5 0 9", "8>13", "9+0o:-/7+0:13x2 A throw - 0 9");
    // In mid-turn it enters single coins.
    leads::<E>(
        nothing_out,
        "3+4:60x2/7+0:13x2 A move 4,5 0 30",
        "60>home=4",
        "3+6:-/7+0:13x2 A move 5 0 30",
    );
    offers::<E>(nothing_out, "3+6:-/7+0:13x2 A move 5 0 30", "@5");
    // Its turn over, it has something out or it opens again when the next begins.
    leads::<E>(
        nothing_out,
        "3+4:60x2/7+0:13x2 A move 4 0 30",
        "60>home 6-1 13>20",
        "3+6r:-/7+0:20x2 A throw - 0 31",
    );
}

// ---- Special throws ------------------------------------------------------------------------------------------------

fn six_threes<E: Engine>() {
    // All nine, to an empty gap 9.
    let all_in_hand = "9+0:-/7+0:8x2 A move 9* 0 40";
    offers::<E>("lhasa", all_in_hand, "@9 all@9");
    leads::<E>("lhasa", all_in_hand, "all@9", "0+0:9x9/7+0:8x2 B throw - 0 40");
    leads::<E>("lhasa", all_in_hand, "@9", "8+0:9x1/7+0:8x2 B throw - 0 40");
    // Not by 5-4, not where the rules have none, not with a coin home, not without nothing out.
    offers::<E>("lhasa", "9+0:-/7+0:8x2 A move 9 0 40", "@9");
    offers::<E>("qinghai", all_in_hand, "@9");
    offers::<E>("lhasa", "8+1:-/7+0:8x2 A move 9* 0 40", "@9");
    offers::<E>("lhasa", "8+0:20x1/7+0:8x2 A move 9* 0 40", "@9 20>29");
    // The whole hand needs nothing on the board and at least two coins.
    offers::<E>("general", "8+1:-/7+0:8x2 A move 9* 0 40", "@9 all@9");
    leads::<E>(
        "general",
        "8+1:-/7+0:8x2 A move 9* 0 40",
        "all@9",
        "0+1:9x8/7+0:8x2 B throw - 0 40",
    );
    offers::<E>("general", "2+7:-/7+0:8x2 A move 9* 0 40", "@9 all@9");
    offers::<E>("general", "1+8:-/7+0:8x2 A move 9* 0 40", "@9");
    offers::<E>("general", "5+2:30x2/7+0:8x2 A move 9* 0 40", "@9 30>39");
    // Blocked, unless they may kill.
    offers::<E>("lhasa", "9+0:-/8+0:9x1 A move 9* 0 40", "@9");
    leads::<E>("lhasa", "9+0:-/7+0:9x2 A throw - 0 40", "6-3", "9+0:-/7+0:9x2 B throw - 0 41");
    offers::<E>("tomoaki", "9+0:-/8+0:9x1 A move 9* 0 40", "@9 all@9");
    offers::<E>("general", "5+4:-/7+0:9x2 A move 9* 0 40", "all@9");
    leads::<E>("general", "5+4:-/7+0:9x2 A move 9* 0 40", "all@9", "0+4:9x5/9+0:- A throw - 0 40");
    leads::<E>("general", "5+4:-/3+0:9x6 A throw - 0 40", "6-3", "5+4:-/3+0:9x6 B throw - 0 41");
    leads::<E>(
        "general kill=stacks-need-bigger",
        "5+4:-/4+0:9x5 A throw - 0 40",
        "6-3",
        "5+4:-/4+0:9x5 B throw - 0 41",
    );
    // There must be a gap 9.
    leads::<E>(
        "general shells=9",
        "9+0:-/7+0:8x2 A throw - 0 40",
        "6-3",
        "9+0:-/7+0:8x2 B throw - 0 41",
    );
    offers::<E>("general shells=10", "9+0:-/7+0:8x2 A move 9* 0 40", "@9 all@9");
}

fn six_threes_and_openings<E: Engine>() {
    // Never on the first opening.
    offers::<E>("general", "9+0o:-/7+0:8x2 A move 9* 0 40", "open@9");
    // Opening again, a side may use it instead: not fresh, no longer opening.
    let again = "9+0r:-/7+0:8x2! A move 9* 0 7";
    offers::<E>("general", again, "open@9 all@9");
    leads::<E>("general", again, "all@9", "0+0:9x9/7+0:8x2! B throw - 0 7");
    leads::<E>("general", again, "open@9", "7+0:9x2!/7+0:8x2! B throw - 0 7");
    // Its kill is an ordinary one and throws; the opening's does not in `general`.
    let kill = "9+0r:-/7+0:9x2! A move 9* 0 7";
    offers::<E>("general", kill, "open@9 all@9");
    leads::<E>("general", kill, "all@9", "0+0:9x9/9+0r:- A throw - 0 7");
    leads::<E>("general", kill, "open@9", "6+0:9x3!/9+0r:- B throw - 0 7");
}

fn nines_by_five_four_are_spent_first<E: Engine>() {
    let both = "9+0:-/7+0:8x2! A move 9,9* 0 40";
    offers::<E>("lhasa", both, "@9=9 @18=9+9 all@9=9");
    leads::<E>("lhasa", both, "@9=9", "8+0:9x1/7+0:8x2! A move 9* 0 40");
    leads::<E>("lhasa", both, "all@9=9", "0+0:9x9/7+0:8x2! A move 9 0 40");
    offers::<E>("lhasa", "0+0:9x9/7+0:8x2! A move 9 0 40", "9>18");
    // With two of each, two ordinary nines leave both six-threes, three leave one.
    let four = "0+0:10x9/7+0:8x2 A move 9,9,9*,9* 0 40";
    leads::<E>("lhasa", four, "10>28=9+9", "0+0:28x9/7+0:8x2 A move 9*,9* 0 40");
    leads::<E>("lhasa", four, "10>37=9+9+9", "0+0:37x9/7+0:8x2 A move 9* 0 40");
    // Used alone: it cannot be part of a sum, and other values go on waiting.
    let mixed = "9+0:-/7+0:8x2! A move 2,9* 0 40";
    offers::<E>("lhasa", mixed, "@2=2 @9=9 @11=2+9 all@9=9");
    leads::<E>("lhasa", mixed, "all@9=9", "0+0:9x9/7+0:8x2! A move 2 0 40");
}

fn the_pair_of_a_pa_ra<E: Engine>() {
    let general = "general";
    leads::<E>(general, "7+0:8x2/9+0o:- A throw - 0 9", "1-1", "7+0:8x2/9+0o:- A pair 2 1 10");
    let pair = "7+0:8x2/9+0o:- A pair 2 1 10";
    offers::<E>(general, pair, "pair@2 again");
    leads::<E>(general, pair, "pair@2", "5+0:2x2,8x2/9+0o:- B throw - 0 10");
    leads::<E>(general, pair, "again", "7+0:8x2/9+0o:- A throw 2 1 10");
    // A join or a kill throws again, and the run is not broken.
    leads::<E>(
        general,
        "7+0:2x2/9+0o:- A throw - 0 9",
        "1-1 pair@2",
        "5+0:2x4/9+0o:- A throw - 1 10",
    );
    leads::<E>(
        general,
        "7+0:8x2/7+0:2x2 A throw - 0 9",
        "1-1 pair@2",
        "5+0:2x2,8x2/9+0:- A throw - 1 10",
    );
    // Where it cannot be entered there is no choice.
    leads::<E>(general, "7+0:8x2/6+0:2x3 A throw - 0 9", "1-1", "7+0:8x2/6+0:2x3 A throw 2 1 10");
    leads::<E>(general, "1+0:8x8/9+0o:- A throw - 0 9", "1-1", "1+0:8x8/9+0o:- A throw 2 1 10");
    leads::<E>("lhasa", "7+0:8x2/9+0o:- A throw - 0 9", "1-1", "7+0:8x2/9+0o:- A throw 2 1 10");
    // It spends one 2; others go on waiting, or are lost with the turn.
    let waiting = "7+0:8x2/9+0o:- A pair 2,5 1 10";
    offers::<E>(general, waiting, "pair@2=2 again");
    leads::<E>(general, waiting, "pair@2=2", "5+0:2x2,8x2/9+0o:- B throw - 0 10");
    leads::<E>("general pa-ra=spend-each", waiting, "pair@2=2", "5+0:2x2,8x2/9+0o:- A move 5 1 10");
    leads::<E>(
        "general pa-ra=spend-each",
        "7+0:8x2/9+0o:- A throw 2 1 10",
        "1-1 pair@2=2 8>10",
        "5+0:2x2,10x2/9+0o:- B throw - 0 11",
    );
}

fn the_pair_of_a_side_that_opens<E: Engine>() {
    let general = "general";
    leads::<E>(general, "9+0o:-/9+0o:- A throw - 0 0", "1-1", "9+0o:-/9+0o:- A pair 2 1 1");
    let pair = "9+0o:-/9+0o:- A pair 2 1 1";
    offers::<E>(general, pair, "open@2 again");
    leads::<E>(general, pair, "open@2", "7+0:2x2!/9+0o:- B throw - 0 1");
    leads::<E>(general, pair, "again", "9+0o:-/9+0o:- A throw 2 1 1");
    // Whatever its hand.
    leads::<E>(
        general,
        "1+8r:-/7+0:8x2 A throw - 0 80",
        "1-1 open@2",
        "0+8:2x1!/7+0:8x2 B throw - 0 81",
    );
    // Three come where the total earns them, and against a fresh stack one more than is there.
    leads::<E>("general opening-bonus=2", pair, "open@2", "6+0:2x3!/9+0o:- B throw - 0 1");
    leads::<E>(general, "9+0o:-/6+0:2x3! A pair 2 1 5", "open@2", "5+0:2x4!/9+0r:- B throw - 0 5");
    // Where gap 2 refuses it, the 2 waits and may be part of a sum, but cannot be used alone.
    leads::<E>(general, "9+0o:-/6+0:2x3 A throw - 0 5", "1-1 3-2", "9+0o:-/6+0:2x3 A move 2,5 0 7");
    offers::<E>(general, "9+0o:-/6+0:2x3 A move 2,5 0 7", "open@5=5 open@7=2+5");
}

// ---- Landing -------------------------------------------------------------------------------------------------------

fn a_stack_of_all_coins<E: Engine>() {
    let forbidden = "lhasa nine-stack=forbidden";
    // It may stand in the presets.
    offers::<E>("lhasa", "0+0:10x4,15x5/9+0o:- A move 5 0 40", "10>15 15>20");
    leads::<E>(
        "lhasa",
        "0+0:10x4,15x5/9+0o:- A move 5 0 40",
        "10>15",
        "0+0:15x9/9+0o:- A throw - 0 40",
    );
    // A join may not make it,
    offers::<E>(forbidden, "0+0:10x4,15x5/9+0o:- A move 5 0 40", "15>20");
    offers::<E>(forbidden, "1+0:5x8/9+0o:- A move 5 0 40", "5>10");
    // nor a six-three, quiet or by a kill; with a coin home it is not all of them.
    offers::<E>(forbidden, "9+0:-/7+0:8x2 A move 9* 0 40", "@9");
    leads::<E>(
        "general nine-stack=forbidden",
        "9+0:-/7+0:9x2 A throw - 0 40",
        "6-3",
        "9+0:-/7+0:9x2 B throw - 0 41",
    );
    offers::<E>("general nine-stack=forbidden", "8+1:-/7+0:9x2 A move 9* 0 40", "all@9");
    // nor an opening that brings three of three, by its total or against a fresh stack,
    let three = "lhasa nine-stack=forbidden coins=3";
    leads::<E>(three, "3+0o:-/3+0o:- A throw - 0 0", "1-1", "3+0o:-/3+0o:- B throw - 0 1");
    leads::<E>(three, "1+0:8x2!/3+0o:- B throw - 0 1", "4-4", "1+0:8x2!/3+0o:- A throw - 0 2");
    leads::<E>(three, "1+0:8x2/3+0o:- B throw - 0 1", "4-4 open@8", "3+0:-/1+0:8x2! B throw - 0 2");
    // nor the pair of a side of two coins,
    leads::<E>(
        "general nine-stack=forbidden coins=2 opening-coins=1",
        "2+0:-/1+0:5x1 A throw - 0 9",
        "1-1",
        "2+0:-/1+0:5x1 A throw 2 1 10",
    );
    // nor a kill. A stack that stands all the same can go home, and nowhere else.
    let (killer, home) = ("0+0:10x9/8+0:15x1 A throw - 0 9", "0+0:60x9/8+0:62x1 A move 2,5 0 9");
    leads::<E>(forbidden, killer, "3-2", "0+0:10x9/8+0:15x1 B throw - 0 10");
    offers::<E>(forbidden, home, "60>home=5 60>home=2+5");
}

fn exact_counts_home<E: Engine>() {
    let exact = "lhasa going-home=exact";
    // From 62 a 2 is exact; from 63 nothing is, for no throw is 1.
    let last_gaps = "0+7:62x1,63x1/9+0o:- A throw - 0 90";
    offers::<E>(exact, "0+7:62x1,63x1/9+0o:- A move 2 0 90", "62>home");
    leads::<E>(exact, last_gaps, "2-1", "0+7:62x1,63x1/9+0o:- B throw - 0 91");
    leads::<E>(exact, last_gaps, "6-6", "0+7:62x1,63x1/9+0o:- B throw - 0 91");
    // A sum may be exact where its parts are not.
    offers::<E>(exact, "0+8:57x1/9+0o:- A move 2,5 0 90", "57>59=2 57>62=5 57>home=2+5");
    leads::<E>(
        exact,
        "0+8:57x1/9+0o:- A move 2,5 0 90",
        "57>62=5 62>home",
        "0+9:-/9+0o:- A over:A - 0 90",
    );
    // With any throw both go home.
    offers::<E>("lhasa", "0+7:62x1,63x1/9+0o:- A move 12 0 90", "62>home 63>home");
}

fn who_kills_whom<E: Engine>() {
    // An equal stack kills; a bigger one refuses.
    offers::<E>("lhasa", "7+0:10x2/7+0:15x2 A move 5 0 9", "@5 10>15");
    offers::<E>("lhasa", "7+0:10x2/6+0:15x3 A move 5 0 9", "@5");
    // A single coin is killed by anything; a stack needs a bigger one.
    let bigger = "lhasa kill=stacks-need-bigger";
    offers::<E>(bigger, "8+0:10x1/8+0:15x1 A move 5 0 9", "@5 10>15");
    offers::<E>(bigger, "7+0:10x2/7+0:15x2 A move 5 0 9", "@5");
    offers::<E>(bigger, "6+0:10x3/7+0:15x2 A move 5 0 9", "@5 10>15");
    // Moves are compulsory: a single legal action is still chosen.
    offers::<E>("lhasa", "0+7:10x2/9+0o:- A move 5 0 9", "10>15");
    // Where nothing is legal the throw is lost.
    leads::<E>(
        "lhasa",
        "0+7:10x2/6+0:15x3 A throw - 0 9",
        "3-2",
        "0+7:10x2/6+0:15x3 B throw - 0 10",
    );
    // Turns go round: after D comes A.
    leads::<E>(
        "lhasa sides=4",
        "7+0:10x2/9+0o:-/9+0o:-/7+0:20x2 D move 5 0 9",
        "@5",
        "7+0:10x2/9+0o:-/9+0o:-/6+0:5x1,20x2 A throw - 0 9",
    );
}

macro_rules! test_engines {
    ($($name:ident: $engine:ty,)+) => {$(
        mod $name {
            use super::*;

            test_engines! { @cases $engine:
                allies_spare_one_another,
                the_leader_is_derived_after_each_action,
                who_kills_a_stack_of_the_leader_is_a_champion,
                a_champion_pays_a_coin_back_and_then_wins,
                three_pa_ras_win_where_they_do,
                at_the_cap_the_most_coins_home_win,
                no_more_values_wait_than_may,
                how_waiting_values_are_used,
                a_left_over_is_used_at_once,
                a_left_over_goes_before_what_waits,
                what_an_opening_brings,
                opening_clashes,
                when_a_stack_is_fresh,
                who_opens_again,
                six_threes,
                six_threes_and_openings,
                nines_by_five_four_are_spent_first,
                the_pair_of_a_pa_ra,
                the_pair_of_a_side_that_opens,
                a_stack_of_all_coins,
                exact_counts_home,
                who_kills_whom,
            }
        }
    )+};
    (@cases $engine:ty: $($case:ident,)+) => {$(
        #[test]
        fn $case() {
            super::$case::<$engine>();
        }
    )+};
}

test_engines! {
    the_plain_engine: plain::Sho,
    the_fast_engine: Sho,
}
