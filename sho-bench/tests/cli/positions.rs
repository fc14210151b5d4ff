//! Commands about positions: `actions`, `perft`, `show`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{sho, sho_reads, testdata};

/// The stored positions by the options that name their rules.
fn stored() -> BTreeMap<Vec<String>, Vec<Value>> {
    let mut by_rules: BTreeMap<_, Vec<Value>> = BTreeMap::new();
    for line in testdata("sho-positions.jsonl").lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let mut options = vec!["--rules".to_owned(), value["rules"].as_str().unwrap().to_owned()];
        for (name, setting) in value["set"].as_object().unwrap() {
            options.extend(["--set".to_owned(), format!("{name}={}", setting.as_str().unwrap())]);
        }
        by_rules.entry(options).or_default().push(value);
    }
    by_rules
}

fn lines(positions: &[Value]) -> String {
    positions.iter().map(|value| format!("{}\n", value["position"].as_str().unwrap())).collect()
}

#[test]
fn actions_of_the_stored_positions() {
    assert_eq!(check_actions("fast") + check_actions("plain"), 2 * 93);
}

fn check_actions(engine: &str) -> usize {
    let mut count = 0;
    for (options, positions) in stored() {
        let mut arguments = vec!["actions", "--next", "-", "--engine", engine];
        arguments.extend(options.iter().map(String::as_str));
        let mut expected = String::new();
        for value in &positions {
            for pair in value["next"].as_array().unwrap() {
                let (step, next) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
                expected.push_str(&format!("{step}\t{next}\n"));
            }
            expected.push('\n');
            count += 1;
        }
        assert_eq!(sho_reads(&arguments, &lines(&positions)).good(), expected, "{options:?}");
    }
    count
}

#[test]
fn perft_of_the_stored_positions() {
    for (options, positions) in stored() {
        let mut arguments = vec!["perft", "--depth", "3", "-"];
        arguments.extend(options.iter().map(String::as_str));
        let mut expected = String::new();
        for value in &positions {
            for (depth, count) in (1..).zip(value["perft"].as_array().unwrap()) {
                expected.push_str(&format!("{depth} {count}\n"));
            }
            expected.push('\n');
        }
        assert_eq!(sho_reads(&arguments, &lines(&positions)).good(), expected, "{options:?}");
    }
}

#[test]
fn perft_from_the_start() {
    let lhasa = "1 21\n2 21\n3 441\n4 441\n5 9261\n";
    assert_eq!(sho(&["perft", "--depth", "5"]).good(), lhasa);
    for threads in ["1", "3"] {
        let run = sho(&["perft", "--depth", "5", "--rules", "bhutan", "--threads", threads]);
        assert_eq!(run.good(), "1 21\n2 22\n3 462\n4 524\n5 11004\n");
    }
    let weighted = sho(&["perft", "--depth", "5", "--weighted"]).good();
    assert_eq!(weighted, "1 36\n2 36\n3 1296\n4 1296\n5 46656\n");
}

#[test]
fn divided_counts_sum_to_the_count() {
    let middle = "2+0:15x5,19x2/0+2:8x1,29x4,63x2/4+3:10x1,53x1 A throw 2 1 86";
    for extra in [&[][..], &["--weighted"]] {
        let run = |options: &[&str]| {
            let all = [&["perft", "--depth", "4", middle], extra, options].concat();
            sho(&all).good()
        };
        let divided = run(&["--divide"]);
        let sum: u128 = divided
            .lines()
            .map(|line| line.split_once(' ').unwrap().1.parse::<u128>().unwrap())
            .sum();
        assert_eq!(divided.lines().count(), 21);
        assert!(run(&[]).ends_with(&format!("4 {sum}\n")), "{sum}");
    }
    let over = "0+9:-/2+3:5x1,40x3/4+3:13x2 A over:A - 0 90";
    assert_eq!(sho(&["perft", "--depth", "2", "--divide", over]).good(), "");
    assert_eq!(sho(&["perft", "--depth", "2", over]).good(), "1 0\n2 0\n");
}

#[test]
fn actions_are_explained() {
    let line = "7+0:10x2/7+0:12x1,17x1 A move 2,5 0 9";
    let expected = "\
@2=2\tquiet\t1\t5
@5=5\tquiet\t1\t2
@7=2+5\tquiet\t1\t-
10>12=2\tkill\t2\t5
10>15=5\tquiet\t2\t2
10>17=2+5\tkill\t2\t-
";
    assert_eq!(sho(&["actions", "--explain", line]).good(), expected);
    let pair = "7+0:4x1,5x1/3+0:8x1,11x1,14x2,16x2 B pair 2 1 15";
    let both = sho(&["actions", "--explain", "--next", "--rules", "bhutan", pair]).good();
    assert_eq!(
        both.lines().last().unwrap(),
        "again\t7+0:4x1,5x1/3+0:8x1,11x1,14x2,16x2 B throw 2 1 15\tagain\t0\t2"
    );
    let throws = sho(&["actions", "--explain"]).good();
    assert_eq!(throws.lines().next(), Some("1-1\tthrow\t-\t-"));
}

#[test]
fn throws_and_ends() {
    let throws = sho(&["actions"]).good();
    assert_eq!(throws.lines().count(), 21);
    assert!(throws.starts_with("1-1\n2-1\n2-2\n3-1\n") && throws.ends_with("6-5\n6-6\n"));
    let over = "0+9:-/2+3:5x1,40x3/4+3:13x2 A over:A - 0 90";
    assert_eq!(sho(&["actions", over]).good(), "");
    assert_eq!(sho_reads(&["actions", "-"], &format!("{over}\n{over}\n")).good(), "\n\n");
}

#[test]
fn a_line_may_come_unquoted_and_brings_its_own_number_of_sides() {
    let quoted = sho(&["actions", "7+0:10x2/8+0:12x1 A move 5 0 9"]).good();
    let words = ["actions", "7+0:10x2/8+0:12x1", "A", "move", "5", "0", "9", "--sides", "2"];
    assert_eq!(sho(&words).good(), quoted);
    assert_eq!(quoted, "@5\n10>15\n");
}

#[test]
fn the_spiral() {
    let line = "0+0:15x5,19x2!,28x2/0+1:8x1,29x4,56x1,63x2/4+3:53x1,57x1 B move 2,9,9* 0 86";
    let expected = "              16   17   18   19   20   21   22   23   24   25   26   27   28
            o    o    o    o A2!o    o    o    o    o    o    o    o    o A2
         15 o A5                                                        o B4  29
         14 o                                                           o     30
         13 o                                                           o     31
         12 o                        hand  board  home                  o     32
         11 o              A brass      0      9     0                  o     33
         10 o            > B steel      0      8     1                  o     34
          9 o              C copper     4      2     3                  o     35
          8 o B1                                                        o     36
   o home 7 o            B chooses                                      o     37
63 o B2   6 o            waiting: 2, 9, 9 (6-3)                         o     38
62 o      5 o            86 throws so far                               o     39
61 o      4 o                                                           o     40
60 o      3 o                                                           o     41
59 o      2 o                                                           o     42
58 o      1 o                                                           o     43
       o C1 o B1 o    o    o C1 o    o    o    o    o    o    o    o    o
         57   56   55   54   53   52   51   50   49   48   47   46   45   44
";
    assert_eq!(sho(&["show", line]).good(), expected);
}

#[test]
fn small_boards() {
    let expected = "               2    3
            o    o B1
   o home 1 o    o      4
       o    o A2!o C1
          7    6    5

            hand  board  home
  A brass      7      2     0
> B steel      8      1     0
  C copper     8      1     0

B throws
1 throw so far
";
    let line = "7+0:6x2!/8+0:3x1/8+0:5x1 B throw - 0 1";
    assert_eq!(sho(&["show", "--set", "shells=8", line]).good(), expected);
}

#[test]
fn marks_and_phases_are_shown() {
    let shown = |rules: &str, line: &str| sho(&["show", "--rules", rules, line]).good();
    let champion = shown("bhutan", "0+7:8x1,45x1/0+1c:10x1,13x1,20x4,35x2/3+4:54x2 C move 7 0 160");
    assert!(champion.contains("7  leader") && champion.contains("1  champion"), "{champion}");
    let left_over = shown("bhutan", "0+7:60x1,61x1/2+3:5x1,40x3 A move >5 0 90");
    assert!(left_over.contains("left over, to be used first: 5"), "{left_over}");
    let pair = shown("bhutan", "7+0:4x1,5x1/3+0:8x1,11x1,14x2,16x2 B pair 2 1 15");
    assert!(pair.contains("pa ras in a row: 1"), "{pair}");
    let again = shown("bhutan", "9+0r:-/5+0:6x4!/6+0:19x3 A move 8 0 7");
    assert!(again.contains("to open again") && again.contains("B4!"), "{again}");
    let over = shown("lhasa", "0+9:-/2+3:5x1,40x3/4+3:13x2 A over:AC - 0 90");
    assert!(over.contains("over: A and C won") && !over.contains("> "), "{over}");
}
