//! Metrics against counts that know nothing of meters: the texts of records and positions, cases with an obvious
//! answer, and what must hold between metrics.

use std::collections::BTreeMap;

use sho_ai::arena::{Arena, bot_words};
use sho_ai::opening::Opening;
use sho_ai::{Bots, Policy};
use sho_bench::metrics::{BlockMetrics, Measured, Meter, MetricTally, Together, metric_results};
use sho_core::record::Record;
use sho_core::sho::{self, Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{BlockDice, Game, Notation, PerSeat, RuleSet, Seat, SettingValues, Step, Stream};

/// What was counted, by name and seat; only what is not 0.
type Found = BTreeMap<(&'static str, char), u32>;

fn found<G: Measured>(meter: &G::Meter) -> Found {
    assert_eq!(meter.counts().len(), G::METRICS.len());
    let mut found = Found::new();
    for (metric, by_seat) in G::METRICS.iter().zip(meter.counts()) {
        for (seat, &count) in by_seat.iter(4).filter(|&(_, &count)| count > 0) {
            found.insert((metric.name, seat.letter()), count);
        }
    }
    found
}

/// A recount in the making.
#[derive(Default)]
struct Recount(Found);

impl Recount {
    fn add(&mut self, name: &'static str, seat: char, more: u32) {
        if more > 0 {
            *self.0.entry((name, seat)).or_default() += more;
        }
    }

    fn raise(&mut self, name: &'static str, seat: char, value: u32) {
        if value > 0 {
            let greatest = self.0.entry((name, seat)).or_default();
            *greatest = value.max(*greatest);
        }
    }
}

/// Who leads after each of these rows of distances from the goal, one a turn's end: the letter of each side that takes
/// the lead from another.
fn lead_changes(rows: &[Vec<u32>]) -> Vec<char> {
    let mut leaders = Vec::new();
    for row in rows {
        let least = row.iter().min().unwrap();
        let in_front: Vec<usize> = (0..row.len()).filter(|&side| row[side] == *least).collect();
        if let [side] = in_front[..]
            && leaders.last() != Some(&side)
        {
            leaders.push(side);
        }
    }
    leaders.iter().skip(1).map(|&side| (b'A' + side as u8) as char).collect()
}

// ---- Sho, counted in texts ---------------------------------------------------------------------------------------------

/// A position line of Sho, taken apart.
struct Line {
    hands: Vec<u32>,
    homes: Vec<u32>,
    /// By side: gap and coins.
    stacks: Vec<Vec<(u32, u32)>>,
    mover: char,
    waiting: String,
}

impl Line {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut line = Self {
            hands: vec![],
            homes: vec![],
            stacks: vec![],
            mover: fields[1].chars().next().unwrap(),
            waiting: fields[3].to_owned(),
        };
        for side in fields[0].split('/') {
            let (head, stacks) = side.split_once(':').unwrap();
            let (hand, home) = head.trim_end_matches(char::is_alphabetic).split_once('+').unwrap();
            line.hands.push(hand.parse().unwrap());
            line.homes.push(home.parse().unwrap());
            let stacks = stacks.split(',').filter(|&stack| stack != "-").map(|stack| {
                let (gap, coins) = stack.trim_end_matches('!').split_once('x').unwrap();
                (gap.parse().unwrap(), coins.parse().unwrap())
            });
            line.stacks.push(stacks.collect());
        }
        line
    }

    fn on_the_board(&self, side: usize) -> u32 {
        self.stacks[side].iter().map(|&(_, coins)| coins).sum()
    }

    fn tallest(&self, side: usize) -> u32 {
        self.stacks[side].iter().map(|&(_, coins)| coins).max().unwrap_or(0)
    }

    fn to_go(&self, shells: u32) -> Vec<u32> {
        let sides = 0..self.hands.len();
        sides
            .map(|side| {
                let out = self.stacks[side].iter().map(|&(gap, coins)| coins * (shells - gap));
                self.hands[side] * shells + out.sum::<u32>()
            })
            .collect()
    }
}

/// How many values wait, a left-over not among them.
fn values_waiting(waiting: &str) -> u32 {
    waiting.split(',').filter(|item| *item != "-" && !item.starts_with('>')).count() as u32
}

/// How many waiting values an action's text spends where this waits.
fn values_spent(text: &str, waiting: &str) -> u32 {
    match text.split_once('=') {
        _ if text == "again" || waiting.contains('>') => 0,
        Some((_, values)) => values.split('+').count() as u32,
        None => 1,
    }
}

/// The totals that wait, a left-over not among them.
fn totals(waiting: &str) -> Vec<u32> {
    let items = waiting.split(',').filter(|item| *item != "-" && !item.starts_with('>'));
    items.map(|item| item.trim_end_matches('*').parse().unwrap()).collect()
}

/// Every distance that one of these totals makes, or several together.
fn sums(totals: &[u32]) -> Vec<u32> {
    totals.iter().fold(vec![], |mut sums, total| {
        let with: Vec<u32> = sums.iter().map(|sum| sum + total).collect();
        sums.push(*total);
        sums.extend(with);
        sums
    })
}

/// How many 2s an action's text spends where this waits.
fn twos_spent(text: &str, waiting: &str) -> u32 {
    let spent = match text.split_once('=') {
        _ if waiting.contains('>') => return 0,
        Some((_, values)) => values.split('+').map(str::to_owned).collect(),
        // Where one value waits, that is what is spent.
        None => vec![waiting.trim_end_matches('*').to_owned()],
    };
    spent.iter().filter(|value| *value == "2").count() as u32
}

fn recount_sho<G>(record: &Record<Rules>) -> Found
where
    G: Notation + Game<Rules = Rules>,
{
    let rules = &record.rules;
    let (shells, all) = (u32::from(rules.shells), u32::from(rules.coins));
    let mut counts = Recount::default();
    let mut lines = vec![record.start.clone()];
    record.replay::<G>(|step| lines.push(step.game.state_text(step.after))).unwrap();
    let lines: Vec<Line> = lines.iter().map(|line| Line::read(line)).collect();
    let mut ends = vec![lines[0].to_go(shells)];
    let exact = rules.going_home == sho::GoingHome::Exact;
    let mut number = 0;
    for (turn_number, turn) in record.turns.iter().enumerate() {
        let letter = turn.chars().next().unwrap();
        let own = (letter as u8 - b'A') as usize;
        let steps: Vec<&str> = turn.split(' ').skip(1).collect();
        let is_throw = |text: &str| text.as_bytes()[1] == b'-';
        // The last turn may have been the game's end and not its own.
        let passed = turn_number + 1 < record.turns.len() || lines.last().unwrap().mover != letter;
        let throws = steps.iter().filter(|text| is_throw(text)).count() as u32;
        // A game may start in mid-turn, with an action.
        counts.add("extra_throws", letter, throws - u32::from(is_throw(steps[0])));
        counts.add("lost_throws", letter, u32::from(passed && is_throw(steps[steps.len() - 1])));
        let limit = u32::from(rules.waiting_limit);
        let mut waiting = values_waiting(&lines[number].waiting);
        for (place, text) in steps.iter().copied().enumerate() {
            let (before, after) = (&lines[number], &lines[number + 1]);
            number += 1;
            if is_throw(text) {
                let pa_ra = text == "1-1";
                counts.add("pa_ras", letter, pa_ra.into());
                let earned = place > 0 && ["1-1", "again"].contains(&steps[place - 1]);
                counts.add("pa_ra_throws", letter, earned.into());
                waiting += u32::from(!pa_ra || waiting < limit - 1);
                if exact && !pa_ra {
                    let mut totals = totals(&before.waiting);
                    totals.push(text.split('-').map(|face| face.parse::<u32>().unwrap()).sum());
                    let distances = sums(&totals);
                    let too_far = |gap: u32| distances.iter().all(|way| gap + way > shells);
                    let stuck = before.stacks[own].iter().filter(|&&(gap, _)| too_far(gap));
                    counts.add("stuck_stacks", letter, stuck.count() as u32);
                }
                continue;
            }
            waiting -= values_spent(text, &before.waiting);
            if text == "again" {
                continue;
            }
            counts.add("pa_ras_used", letter, twos_spent(text, &before.waiting));
            let from_hand = text.contains('@');
            let opens = text.starts_with("open");
            counts.add("openings", letter, opens.into());
            counts.add("entries", letter, text.starts_with('@').into());
            counts.add("pairs", letter, text.starts_with("pair").into());
            counts.add("six_threes", letter, text.starts_with("all").into());
            counts.add("left_overs", letter, before.waiting.contains('>').into());
            for other in (0..before.hands.len()).filter(|&other| other != own) {
                let lost = after.hands[other] - before.hands[other];
                if lost > 0 {
                    counts.add("kills", letter, 1);
                    counts.add("opening_kills", letter, opens.into());
                    counts.add("coins_killed", letter, lost);
                    counts.add("coins_lost", (b'A' + other as u8) as char, lost);
                }
            }
            let gone_home = !from_hand && after.on_the_board(own) < before.on_the_board(own);
            counts.add("home_moves", letter, gone_home.into());
            // A coin comes into the own hand by nothing but a champion's debt.
            counts.add(
                "coins_called_back",
                letter,
                after.hands[own].saturating_sub(before.hands[own]),
            );
            if !gone_home {
                let stacks = before.stacks[own].len() + usize::from(from_hand);
                counts.add("joins", letter, (after.stacks[own].len() < stacks).into());
                let whole = |line: &Line| line.tallest(own) == all;
                counts.add("nine_stacks", letter, (whole(after) && !whole(before)).into());
            }
            // Stacks that the start had, and that nobody touched, were made by no landing.
            let stacks = after.stacks[own].iter();
            for &(_, coins) in stacks.filter(|stack| !before.stacks[own].contains(stack)) {
                counts.raise("tallest_stack", letter, coins);
            }
        }
        counts.add("lost_values", letter, if passed { waiting } else { 0 });
        ends.push(lines[number].to_go(shells));
    }
    for letter in lead_changes(&ends) {
        counts.add("lead_changes", letter, 1);
    }
    for (seat, &home) in Seat::ALL.iter().zip(&lines.last().unwrap().homes) {
        counts.add("coins_home", seat.letter(), home);
    }
    counts.0
}

// ---- Sholo Guti, counted in texts --------------------------------------------------------------------------------------

fn recount_sholo_guti<G>(record: &Record<sholo_guti::Rules>) -> Found
where
    G: Notation + Game<Rules = sholo_guti::Rules>,
{
    let mut counts = Recount::default();
    let pieces = |line: &str| {
        let board = line.split(' ').next().unwrap();
        ['x', 'o'].map(|letter| board.matches(letter).count() as u32)
    };
    let mut before = pieces(&record.start);
    let missing = |pieces: [u32; 2]| pieces.iter().map(|count| 16 - count).collect();
    let mut ends = vec![missing(before)];
    let mut took = false;
    record
        .replay::<G>(|step| {
            let own = step.seat.index();
            let (letter, other) = (['A', 'B'][own], ['A', 'B'][1 - own]);
            let after = pieces(&step.game.state_text(step.after));
            assert_eq!(after[own], before[own]);
            let takes = before[1 - own] - after[1 - own];
            counts.add("takes", letter, takes);
            counts.add("pieces_lost", other, takes);
            counts.add("taking_turns", letter, (takes > 0).into());
            counts.add("long_runs", letter, (takes > 1).into());
            counts.raise("longest_run", letter, takes);
            counts.add("retakes", letter, (took && takes > 0).into());
            counts.add("steps", letter, (takes == 0).into());
            if takes == 0 {
                let mut turns = G::Actions::default();
                step.game.actions(step.before, &mut turns);
                let open = sho_core::ActionList::iter(&turns)
                    .any(|turn| step.game.action_text(step.before, turn).contains(':'));
                counts.add("declined_takes", letter, open.into());
            }
            took = takes > 0;
            before = after;
            ends.push(missing(after));
        })
        .unwrap();
    for letter in lead_changes(&ends) {
        counts.add("lead_changes", letter, 1);
    }
    counts.0
}

// ---- Games -------------------------------------------------------------------------------------------------------------

/// A game's record, and what a meter that has seen other games before counted of it.
fn play<G: Bots + Measured + Notation>(
    arena: &mut Arena<G>,
    meter: &mut G::Meter,
    start: G::State,
    bots: &[&str],
    seed: u64,
) -> (Record<G::Rules>, Found) {
    let seats = arena.game().seats();
    let bot = |index: usize| {
        let spec = G::spec(bots[index % bots.len()]).unwrap();
        G::bot(arena.game(), &spec).unwrap()
    };
    let mut entries: Vec<Box<dyn Policy<G>>> = (0..seats).map(bot).collect();
    let mut record = Record::new(arena.game(), &start);
    let opening = Opening::none(start);
    let mut dice = BlockDice::of(arena.game(), seed, 0);
    let mut words = bot_words(seed, 0, 0);
    meter.clear();
    arena
        .play(
            &opening,
            &mut entries,
            &PerSeat::from_fn(Seat::index),
            &mut dice,
            &mut words,
            &mut (&mut record, &mut *meter),
        )
        .unwrap();
    (record, found::<G>(meter))
}

/// Plays a game with both engines, compares the meters with each other and with the recount, and returns the counts.
fn check_sho(rules: Rules, start: Option<&str>, bots: &[&str], seed: u64) -> Found {
    let fast = Sho::new(rules).unwrap();
    let plain = sho::plain::Sho::new(rules).unwrap();
    let start = start.map_or_else(|| fast.state_text(&fast.start()), str::to_owned);
    let state = fast.parse_state(&start).unwrap();
    let (record, counts) = play(&mut Arena::new(fast), &mut fast.meter(), state, bots, seed);
    let state = plain.parse_state(&start).unwrap();
    let (again, plain_counts) = play(&mut Arena::new(plain), &mut plain.meter(), state, bots, seed);
    assert_eq!(record, again);
    assert_eq!(counts, plain_counts, "the engines differ in\n{record}");
    assert_eq!(counts, recount_sho::<Sho>(&record), "meter, then recount, of\n{record}");
    check_laws(&counts, &record);
    counts
}

fn sum(counts: &Found, name: &str) -> u32 {
    counts.iter().filter(|((other, _), _)| *other == name).map(|(_, count)| count).sum()
}

/// What holds between metrics, whatever was played.
fn check_laws(counts: &Found, record: &Record<Rules>) {
    let sum = |name| sum(counts, name);
    assert_eq!(sum("coins_killed"), sum("coins_lost"), "{record}");
    assert!(sum("opening_kills") <= sum("kills") && sum("kills") <= sum("coins_killed"));
    assert!(sum("opening_kills") <= sum("openings"));
    // A start in mid-turn may come after pa ras.
    let run: u32 = record.start.split(' ').nth(4).unwrap().parse().unwrap();
    assert!(sum("extra_throws") <= sum("kills") + sum("joins") + sum("pa_ras") + run, "{record}");
    assert!(sum("lost_throws") <= sum("lost_values"), "{record}");
    assert!(sum("pa_ra_throws") <= sum("extra_throws").min(sum("pa_ras") + run), "{record}");
    // A start in mid-turn may have pa ras waiting.
    let waiting = totals(record.start.split(' ').nth(3).unwrap());
    assert!(sum("pa_ras_used") <= sum("pa_ras") + waiting.len() as u32, "{record}");
    if record.rules.going_home == sho::GoingHome::AnyThrow {
        assert_eq!(sum("stuck_stacks"), 0);
    }
    assert!(sum("lost_throws") <= record.turns.len() as u32);
    if record.rules.left_over == sho::LeftOver::Lost {
        assert_eq!(sum("left_overs"), 0);
    }
    if record.end.as_deref() == Some("home") {
        let homes = Seat::ALL.map(|seat| counts.get(&("coins_home", seat.letter())).copied());
        let all = homes.iter().filter(|&&home| home == Some(record.rules.coins.into()));
        assert_eq!(all.count(), 1, "{record}");
    }
}

#[test]
fn games_of_all_presets_counted_again() {
    let mut all = Found::new();
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            for seed in 0..30 {
                let bots: &[&str] =
                    [&["random"][..], &["easy"], &["easy", "random"]][seed as usize % 3];
                for (key, count) in check_sho(rules, None, bots, seed) {
                    *all.entry(key).or_default() += count;
                }
            }
        }
    }
    // Nothing was compared that never happens, but for what no preset has.
    for metric in Sho::METRICS.iter().filter(|metric| metric.name != "stuck_stacks") {
        assert!(sum(&all, metric.name) > 0, "no {} in any game", metric.name);
    }
}

/// Rules drawn at random, on small boards as a rule, so that games have few throws and all that there is comes together.
fn random_rules(words: &mut Stream) -> Rules {
    loop {
        let presets = Rules::PRESETS;
        let mut rules = presets[words.below(presets.len() as u32) as usize].rules;
        rules.shells = 8 + words.below(20) as u8;
        rules.coins = 1 + words.below(9) as u8;
        for setting in Rules::SETTINGS {
            if setting.name != "sides" && words.below(2) == 0 {
                continue;
            }
            let value = match setting.values {
                SettingValues::Words(of) => of[words.below(of.len() as u32) as usize].to_owned(),
                SettingValues::YesNo => ["no", "yes"][words.below(2) as usize].to_owned(),
                SettingValues::Range(low, 65535) => {
                    let bits = words.below(9);
                    (low + words.below(1 << bits)).to_string()
                }
                SettingValues::Range(low, high) if setting.name == "sides" || high == 9 => {
                    (low + words.below(high - low + 1)).to_string()
                }
                SettingValues::Totals => {
                    ["none", "2", "2+3", "2+3+7+12"][words.below(4) as usize].to_owned()
                }
                _ => continue,
            };
            rules.set(setting.name, &value).unwrap();
        }
        if rules.check().is_ok() {
            return rules;
        }
    }
}

#[test]
fn games_by_random_rules_counted_again() {
    let (mut caps, mut stuck) = (0, 0);
    for number in 0..2_000 {
        let mut words = Stream::new(1, "sho/test/metrics", number);
        let rules = random_rules(&mut words);
        let bots: &[&str] = if words.below(3) == 0 { &["easy"] } else { &["random"] };
        let counts = check_sho(rules, None, bots, number);
        caps += u32::from(sum(&counts, "coins_home") < u32::from(rules.coins));
        stuck += sum(&counts, "stuck_stacks");
    }
    assert!(caps > 200, "{caps} games came to their cap");
    assert!(stuck > 1_000, "{stuck} stacks were stuck");
}

/// Starts that are not the usual one, in mid-turn too, with allied sides, champions, left-overs, marks to open again, and
/// stacks that go home at once.
#[test]
fn games_from_other_starts_counted_again() {
    let mut bhutan = Rules::bhutan();
    bhutan.coins = 9;
    let starts = [
        "3+5:20x1/2+3:5x1,40x3/4+3:12x2 C move 8 0 90",
        "0+8c:60x1/2+3:5x1,40x3/4+3:13x2 A move 7 0 90",
        "0+7:60x1,61x1/2+3:5x1,40x3/4+3:13x2 A move 9 0 90",
        "1+7c:62x1/2+6c:5x1/0+0:13x9 B throw 2,11 0 90",
        "9+0r:-/9+0r:-/0+0:9x9 A move 9* 0 40",
        "0+0:63x9/9+0o:-/9+0o:- A throw 2,2 2 7",
        "4+5:-/6+0:9x3/9+0:- A pair 2 1 40",
    ];
    for start in starts {
        for seed in 0..60 {
            for (number, bots) in [&["random"][..], &["easy", "random"]].iter().enumerate() {
                let mut rules = bhutan;
                rules.max_throws = [2000, 100][number];
                check_sho(rules, Some(start), bots, seed);
            }
        }
    }
}

#[test]
fn games_of_sholo_guti_counted_again() {
    let mut all = Found::new();
    for preset in sholo_guti::Rules::PRESETS {
        let fast = SholoGuti::new(preset.rules).unwrap();
        let plain = sholo_guti::plain::SholoGuti::new(preset.rules).unwrap();
        let (mut meter, mut plain_meter) = (fast.meter(), plain.meter());
        let usual = fast.state_text(&fast.start());
        let other = "ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31".to_owned();
        for (seed, start) in (0..60).map(|seed| (seed, if seed % 5 == 0 { &other } else { &usual }))
        {
            let bots: &[&str] = [&["random"][..], &["easy", "random"]][seed as usize % 2];
            let state = fast.parse_state(start).unwrap();
            let (record, counts) = play(&mut Arena::new(fast), &mut meter, state, bots, seed);
            let state = plain.parse_state(start).unwrap();
            let (again, plain_counts) =
                play(&mut Arena::new(plain), &mut plain_meter, state, bots, seed);
            assert_eq!(record, again);
            assert_eq!(counts, plain_counts);
            assert_eq!(counts, recount_sholo_guti::<SholoGuti>(&record), "{record}");
            let sum = |name| sum(&counts, name);
            assert_eq!(sum("takes"), sum("pieces_lost"));
            assert_eq!(sum("taking_turns") + sum("steps"), record.turns.len() as u32);
            if preset.name == "forced" {
                assert_eq!(sum("declined_takes"), 0);
            }
            for (key, count) in counts {
                *all.entry(key).or_default() += count;
            }
        }
    }
    for metric in SholoGuti::METRICS {
        assert!(sum(&all, metric.name) > 0, "no {} in any game", metric.name);
    }
}

// ---- Cases -------------------------------------------------------------------------------------------------------------

/// What is counted over some steps from a position, as text: `kills A1, coins_lost B2`. With `over` the game ends there,
/// as it does where the last step ended it.
fn counted<G: Measured + Notation>(rules: G::Rules, start: &str, steps: &str) -> String {
    let game = G::new(rules).unwrap();
    let mut meter = game.meter();
    let mut state = game.parse_state(start).unwrap();
    let mut history = game.begin(&state);
    for text in steps.split(' ') {
        use sho_ai::arena::Observer;
        match game.step(&state) {
            Step::Chance(seat) => {
                let outcome = game.parse_outcome(text).unwrap();
                meter.cast(&game, &state, seat, outcome);
                game.cast_unchecked(&mut state, outcome);
            }
            Step::Decide(seat) => {
                let action = game.parse_action(&state, text).unwrap();
                meter.action(&game, &state, seat, action);
                game.play_unchecked(&mut state, action);
                game.remember(&mut state, &mut history);
            }
            Step::Over => panic!("`{text}` comes after the end"),
        }
        if game.step(&state) == Step::Over {
            meter.over(&game, &state);
        }
    }
    let counts = found::<G>(&meter);
    let texts = G::METRICS.iter().flat_map(|metric| {
        let of = counts.iter().filter(move |((name, _), _)| *name == metric.name);
        of.map(|((name, seat), count)| format!("{name} {seat}{count}"))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The same under both engines of Sho.
#[track_caller]
fn case(rules: Rules, start: &str, steps: &str, expected: &str) {
    assert_eq!(counted::<Sho>(rules, start, steps), expected);
    assert_eq!(counted::<sho::plain::Sho>(rules, start, steps), expected);
}

fn changed(mut rules: Rules, settings: &str) -> Rules {
    settings.split(' ').for_each(|setting| rules.assign(setting).unwrap());
    rules
}

#[test]
fn kills_joins_and_stacks() {
    let lhasa = Rules::lhasa();
    // The pair of coins in gap 12 kills two of A and one of B, in one turn.
    case(
        lhasa,
        "5+0:20x2,40x2/8+0:25x1/7+0:12x2 C throw - 0 50",
        "6-2 12>20 4-1 20>25 2-1 25>28",
        "kills C2, coins_killed C3, coins_lost A2, coins_lost B1, extra_throws C2, tallest_stack C2",
    );
    // A join, with a nine left waiting for the next throw.
    case(
        changed(lhasa, "sides=2"),
        "5+0:10x2,21x2/6+0:12x1,23x2 A move 2,9,9* 0 33",
        "10>21=2+9",
        "joins A1, tallest_stack A4, pa_ras_used A1",
    );
    // A single coin comes into a stack of eight; the stack of nine goes on, and is no second one.
    case(
        changed(lhasa, "sides=2"),
        "1+0:5x8/9+0:- A throw - 0 50",
        "3-2 @5 6-1 5>12",
        "joins A1, extra_throws A1, entries A1, nine_stacks A1, tallest_stack A9",
    );
}

#[test]
fn openings() {
    // B opens on A's opening and kills it. Under `lhasa` it throws again, under `general` its turn is over, and A opens
    // again.
    let opened = "6-1 open@7 5-2 open@7";
    let start = "9+0o:-/9+0o:-/9+0o:- A throw - 0 0";
    let killed = "kills B1, opening_kills B1, coins_killed B2, coins_lost A2";
    case(
        Rules::lhasa(),
        start,
        &format!("{opened} 6-6"),
        &format!(
            "{killed}, extra_throws B1, openings A1, openings B1, tallest_stack A2, tallest_stack B3"
        ),
    );
    case(
        Rules::general(),
        start,
        &format!("{opened} 6-5 open@11 6-4 open@10"),
        &format!(
            "{killed}, openings A2, openings B1, openings C1, tallest_stack A2, tallest_stack B3, \
             tallest_stack C2, lead_changes B1, lead_changes C1"
        ),
    );
    // Two coins cannot open where a bigger stack stands: the throw is lost.
    case(
        Rules::lhasa(),
        "6+0:7x3/9+0o:-/9+0o:- B throw - 0 9",
        "4-3 4-3 6-1",
        "lost_throws B1, lost_throws C1, lost_values B1, lost_values C1",
    );
}

#[test]
fn throws_and_values_that_are_lost() {
    // A's coin in gap 20 is blocked on 22 and 25 and 27 by stacks of two, and the hand is empty.
    let rules = changed(Rules::lhasa(), "sides=2");
    let start = "0+8:20x1/3+0:22x2,25x2,27x2 A throw - 0 50";
    case(
        rules,
        start,
        "1-1 3-2 4-1",
        "pa_ras A1, extra_throws A1, lost_throws A1, lost_values A2, pa_ra_throws A1",
    );
    // Free on 22: the 2 is played and the 5 is lost, but the throw was played from.
    let start = "0+8:20x1/5+0:25x2,27x2 A throw - 0 50";
    case(
        rules,
        start,
        "1-1 3-2 20>22=2 6-1",
        "pa_ras A1, extra_throws A1, lost_values A1, tallest_stack A1, pa_ras_used A1, \
         pa_ra_throws A1",
    );
    // Under `choose-one` the value that was not chosen is dropped.
    case(
        changed(Rules::general(), "sides=2"),
        "0+7:20x1,30x1/9+0:- A throw - 0 50",
        "1-1 3-2 20>25=5 6-1",
        "pa_ras A1, extra_throws A1, lost_values A1, tallest_stack A1, pa_ra_throws A1",
    );
    // A full list takes no further 2, and the last throw before the cap loses nothing.
    case(
        changed(Rules::lhasa(), "sides=2 waiting-limit=2 max-throws=53"),
        "0+8:20x1/9+0:- A throw - 0 50",
        "1-1 1-1 1-1",
        "pa_ras A3, extra_throws A2, coins_home A8, pa_ra_throws A2",
    );
    // What waits when the game is won is not lost.
    case(
        rules,
        "0+8:60x1/9+0:- A throw - 0 50",
        "1-1 6-5 60>home=11",
        "pa_ras A1, extra_throws A1, home_moves A1, coins_home A9, pa_ra_throws A1",
    );
    // The cap comes when A's lost throw has ended its turn.
    case(
        changed(rules, "max-throws=51"),
        "0+8:20x1/7+0:25x2 A throw - 0 50",
        "3-2",
        "lost_throws A1, lost_values A1, coins_home A8",
    );
}

/// A pa ra is used when its 2 is played; it has its throw whether or not it is used.
#[test]
fn pa_ras_used_and_thrown_on() {
    let lhasa = changed(Rules::lhasa(), "sides=2");
    // Two 2s and a 5 in one sum, after three throws; what was thrown for the join is no throw of a pa ra.
    case(
        lhasa,
        "0+7:20x1,29x1/9+0:- A throw - 0 50",
        "1-1 1-1 3-2 20>29=2+2+5 4-1 29>34 6-1",
        "joins A1, pa_ras A2, extra_throws A3, tallest_stack A2, pa_ras_used A2, pa_ra_throws A2",
    );
    // An opening side of `lhasa` chooses at once; the opening is played with the 2.
    case(
        lhasa,
        "9+0o:-/9+0o:- A throw - 0 0",
        "1-1 open@2 6-1",
        "pa_ras A1, openings A1, tallest_stack A3, pa_ras_used A1",
    );
    // The cap comes before the throw that A has earned, and the third in a row ends the game.
    case(
        changed(lhasa, "max-throws=51"),
        "0+8:20x1/9+0:- A throw - 0 50",
        "1-1",
        "pa_ras A1, coins_home A8",
    );
    case(
        changed(lhasa, "three-pa-ra-wins=yes"),
        "0+8:20x1/9+0:- A throw - 0 50",
        "1-1 1-1 1-1",
        "pa_ras A3, extra_throws A2, coins_home A8, pa_ra_throws A2",
    );
    // The pair declined, and later offered and entered.
    case(
        changed(Rules::general(), "sides=2"),
        "9+0:-/9+0:- A throw - 0 50",
        "1-1 again 1-1 pair@2=2 6-1",
        "pa_ras A2, extra_throws A1, lost_values A1, pairs A1, tallest_stack A2, pa_ras_used A1, pa_ra_throws A1",
    );
}

/// Where home must be hit exactly, stacks that stand too near for every value.
#[test]
fn stuck_stacks() {
    let exact = changed(Rules::lhasa(), "sides=2 going-home=exact");
    // A 9: gap 55 goes home with it, 56 and 63 cannot.
    case(
        exact,
        "0+6:55x1,56x1,63x1/9+0:- A throw - 0 50",
        "5-4 55>home 6-1",
        "home_moves A1, stuck_stacks A2",
    );
    // The 2 of a pa ra fits gap 62, and none but that in 63 is stuck; after the pa ra itself nothing is counted. When the 2
    // is spent, two nines wait, and fit none of both.
    case(
        exact,
        "0+6:60x1,62x1,63x1/9+0:- A throw - 0 50",
        "1-1 5-4 60>62=2 5-4",
        "joins A1, pa_ras A1, extra_throws A2, tallest_stack A2, pa_ras_used A1, pa_ra_throws A1, \
         stuck_stacks A3",
    );
    // Those of the others are not, and neither is a stack that an enemy blocks.
    case(exact, "0+8:40x1/0+7:49x2 A throw - 0 50", "5-4 6-5", "lost_throws A1, lost_values A1");
    // The same throw from the same position goes home where any does.
    case(
        changed(exact, "going-home=any-throw"),
        "0+6:55x1,56x1,63x1/9+0:- A throw - 0 50",
        "5-4 63>home 6-1",
        "home_moves A1",
    );
}

#[test]
fn pairs_six_threes_and_left_overs() {
    case(
        changed(Rules::general(), "sides=2"),
        "9+0:-/7+0:2x2 A throw - 0 50",
        "1-1 pair@2 5-4 @9",
        "kills A1, coins_killed A2, coins_lost B2, pa_ras A1, extra_throws A1, entries A1, pairs A1, \
         tallest_stack A2, pa_ras_used A1",
    );
    case(
        Rules::lhasa(),
        "9+0:-/7+0:8x2/9+0o:- A move 9* 0 40",
        "all@9",
        "six_threes A1, nine_stacks A1, tallest_stack A9",
    );
    case(
        Rules::general(),
        "4+5:-/6+0:9x3/9+0o:- A move 9* 0 40",
        "all@9",
        "kills A1, coins_killed A3, coins_lost B3, six_threes A1, tallest_stack A4",
    );
    case(
        Rules::bhutan(),
        "0+7:60x1,61x1/2+3:5x1,40x3/4+3:13x2 A move 9 0 90",
        "60>home 61>home",
        "left_overs A1, home_moves A2, coins_home A9, coins_home B3, coins_home C3",
    );
}

#[test]
fn champions() {
    // C kills the leader, later its last coin comes home and goes back to the hand.
    case(
        Rules::bhutan(),
        "3+5:20x1/2+3:5x1,40x3/4+3:12x2 C move 8 0 90",
        "12>20 6-5 20>31",
        "kills C1, coins_killed C1, coins_lost A1, extra_throws C1, tallest_stack C2",
    );
    case(
        changed(Rules::bhutan(), "max-throws=91"),
        "0+8c:60x1/2+3:5x1,40x3/4+3:13x2 A throw - 0 90",
        "6-1 60>home",
        "home_moves A1, coins_home A8, coins_home B3, coins_home C3, coins_called_back A1",
    );
}

#[test]
fn the_lead() {
    // A has 10 gaps to go, B 12, C 18. B comes to 9 and leads; C comes to 9, and the tie leaves it to B; A comes to 7.
    case(
        Rules::lhasa(),
        "0+8:54x1/0+8:52x1/0+7:50x1,60x1 B throw - 0 50",
        "2-1 52>55 5-4 50>59 2-1 54>57 6-4",
        "tallest_stack A1, tallest_stack B1, tallest_stack C1, lead_changes A1, lead_changes B1",
    );
    // Both have 24 to go. A is the first to lead, and takes the lead from nobody; B, with 19 to go, from A with 20.
    case(
        changed(Rules::lhasa(), "sides=2"),
        "0+8:40x1/0+7:50x1,54x1 A throw - 0 50",
        "3-1 40>44 3-2 50>55 6-1",
        "tallest_stack A1, tallest_stack B1, lead_changes B1",
    );
    // Who is killed falls behind: A had 24 to go, then 64, and B has 19.
    case(
        changed(Rules::lhasa(), "sides=2"),
        "0+8:40x1/0+7:35x1,59x1 B throw - 0 50",
        "4-1 35>40 6-4 40>50 6-1",
        "kills B1, coins_killed B1, coins_lost A1, extra_throws B1, tallest_stack B1, lead_changes B1",
    );
}

#[test]
fn takes() {
    use sho_core::sholo_guti::Rules;
    let start = "ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1";
    let both = |steps: &str, expected: &str| {
        let standard = Rules::standard();
        assert_eq!(counted::<SholoGuti>(standard, start, steps), expected);
        assert_eq!(counted::<sholo_guti::plain::SholoGuti>(standard, start, steps), expected);
    };
    // B leads first, from nobody, and A takes back: level. Then B steps though it could take.
    both(
        "c4-c5 c6:c4 c3:c5",
        "takes A1, takes B1, pieces_lost A1, pieces_lost B1, taking_turns A1, taking_turns B1, \
         longest_run A1, longest_run B1, retakes A1, steps A1",
    );
    both("c4-c5 a6-a5", "steps A1, steps B1, declined_takes B1");
    // A run of two in a position of the rules.
    let position = "ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31";
    let expected = "takes A3, pieces_lost B3, taking_turns A1, long_runs A1, longest_run A3";
    assert_eq!(counted::<SholoGuti>(Rules::forced(), position, "c3:e3:c5:c7"), expected);
}

// ---- Tallies -----------------------------------------------------------------------------------------------------------

/// Two line-ups of three bots over some blocks, counted by a tally, and every game's counts beside it.
type Game3 = (u64, PerSeat<usize>, Found);

fn tallied(blocks: std::ops::Range<u64>) -> (MetricTally, Vec<Game3>) {
    let game = Sho::new(Rules::lhasa()).unwrap();
    let mut arena = Arena::new(game);
    let (mut meter, mut tally) = (game.meter(), MetricTally::new::<Sho>(2));
    let mut block = BlockMetrics::new::<Sho>(2);
    let mut games = Vec::new();
    for number in blocks {
        for lineup in [[0, 1, 1], [0, 0, 0]] {
            let bot = |&bot: &usize| {
                Sho::bot(&game, &Sho::spec(["easy", "random"][bot]).unwrap()).unwrap()
            };
            let mut entries: Vec<Box<dyn Policy<Sho>>> = lineup.iter().map(bot).collect();
            for rotation in 0..3 {
                meter.clear();
                arena.play_game(3, number, rotation, &mut entries, &mut meter).unwrap();
                let bot_at = PerSeat::from_fn(|seat| lineup[(seat.index() + rotation) % 3]);
                block.game::<Sho>(3, &bot_at, &meter, &mut tally);
                games.push((number, bot_at, found::<Sho>(&meter)));
            }
        }
        block.finish(&mut tally);
    }
    (tally, games)
}

#[test]
fn a_tally_counted_again() {
    let (tally, games) = tallied(0..20);
    let (blocks, count) = (20, games.len() as u64);
    // The first line-up has the bots once and twice, the second bot 0 three times; three games of each a block.
    let held = [20 * (3 + 9), 20 * 6];
    let results = metric_results::<Sho>(&tally, blocks, count, &held);
    assert_eq!(results.0.len(), Sho::METRICS.len());
    let near = |found: f64, expected: f64, what: &str| {
        assert!((found - expected).abs() < 0.6e-6, "{what}: {found}, expected {expected}");
    };
    // The mean over blocks of equal weight and its error, by the textbook.
    let mean_and_error = |value: &dyn Fn(&[&Game3]) -> f64| {
        let values: Vec<f64> = (0..blocks)
            .map(|number| value(&games.iter().filter(|game| game.0 == number).collect::<Vec<_>>()))
            .collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (squares / (n - 1.0) / n).sqrt())
    };
    for (metric, (name, result)) in Sho::METRICS.iter().zip(&results.0) {
        assert_eq!(metric.name, *name);
        let at = |game: &Game3, seat: Seat| {
            game.2.get(&(metric.name, seat.letter())).copied().unwrap_or(0)
        };
        let of_game = |game: &Game3| {
            let seats = Seat::all(3).map(|seat| at(game, seat));
            match metric.together {
                Together::Sum => seats.sum::<u32>(),
                Together::Greatest => seats.max().unwrap(),
            }
        };
        let (mean, error) = mean_and_error(&|block| {
            block.iter().map(|game| f64::from(of_game(game))).sum::<f64>() / block.len() as f64
        });
        near(result.mean, mean, name);
        near(result.se.unwrap(), error, name);
        let mut sorted: Vec<u32> = games.iter().map(of_game).collect();
        sorted.sort_unstable();
        let quantile = |percent: usize| sorted[(percent * sorted.len()).div_ceil(100) - 1];
        assert_eq!([result.q05, result.median, result.q95], [5, 50, 95].map(quantile), "{name}");
        assert_eq!(Some(&result.max), sorted.last());
        assert_eq!(result.histogram.count(), count);
        for (bot, found) in result.by_bot.iter().enumerate() {
            let (mean, error) = mean_and_error(&|block| {
                let seats = block.iter().flat_map(|game| {
                    let held = Seat::all(3).filter(|&seat| game.1[seat] == bot);
                    held.map(|seat| f64::from(at(game, seat)))
                });
                let values: Vec<f64> = seats.collect();
                values.iter().sum::<f64>() / values.len() as f64
            });
            near(found.mean, mean, name);
            near(found.se.unwrap(), error, name);
        }
    }
}

#[test]
fn tallies_merge_in_any_order_and_are_read_back() {
    let whole = tallied(0..9).0;
    let parts = [tallied(0..2).0, tallied(2..3).0, tallied(3..9).0];
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut merged = MetricTally::new::<Sho>(2);
        order.iter().for_each(|&part| merged.merge(&parts[part]));
        assert_eq!(merged, whole);
    }
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<MetricTally>(&text).unwrap(), whole);
}

#[test]
fn one_block_has_no_errors_and_no_games_no_rows() {
    let tally = tallied(0..1).0;
    let results = metric_results::<Sho>(&tally, 1, 6, &[12, 6]);
    assert!(results.0.iter().all(|(_, result)| result.se.is_none()));
    let keys = serde_json::to_string(&results.0[0].1).unwrap();
    let start = "{\"mean\":";
    assert!(keys.starts_with(start) && keys.contains("\"se\":null"), "{keys}");
    let none = metric_results::<Sho>(&MetricTally::new::<Sho>(2), 0, 0, &[0, 0]);
    assert!(none.0.is_empty());
}

// ---- The page ----------------------------------------------------------------------------------------------------------

/// `docs/metrics.md` has a table for each game, and it names the metrics in their order.
#[test]
fn the_page_names_the_metrics() {
    let path = format!("{}/../docs/metrics.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let named = |heading: &str| -> Vec<String> {
        let part = page.split("\n## ").find(|part| part.starts_with(heading)).unwrap();
        let rows = part.lines().filter_map(|line| line.strip_prefix("| `"));
        rows.map(|row| row.split('`').next().unwrap().to_owned()).collect()
    };
    let names = |metrics: &[sho_bench::metrics::Metric]| -> Vec<String> {
        metrics.iter().map(|metric| metric.name.to_owned()).collect()
    };
    assert_eq!(named("Sho\n"), names(Sho::METRICS));
    assert_eq!(named("Sholo Guti\n"), names(SholoGuti::METRICS));
}
