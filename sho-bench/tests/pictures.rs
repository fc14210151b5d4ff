//! Pictures and pages: what an XML parser that is not ours reads in them, where their texts stand, and that every number of
//! a page is that of the result.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use sho_bench::chart::{
    Dot, DotPanel, DotRow, Dots, Forest, ForestPoint, ForestRow, Heading, LengthLine, LengthPanel,
    Lengths, Picture, Weight, study_pictures, text_width, tournament_pictures,
};
use sho_bench::page::{study_command, study_page};
use sho_bench::study::{Design, Study, StudyResult, run_study};
use sho_bench::tally::Histogram;
use sho_bench::{Amount, Experiment, Schedule, TournamentResult, run};
use sho_core::RuleSet;
use sho_core::sho::{Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};

fn small() -> Rules {
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (2, 24, 4);
    rules
}

fn study(vary: &str, design: Design, bots: &[&str], blocks: u64) -> StudyResult<Rules> {
    let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
    let vary = [vary.to_owned()];
    let study = Study::new::<Sho>(small(), &vary, design, &bots, 20_261_130, blocks).unwrap();
    StudyResult::new::<Sho>(&study, &run_study::<Sho>(&study, 2, &()).unwrap().tally)
}

/// The study of the stored picture: effects of very different sizes, one that is never seen, and one that is sometimes.
fn pinned() -> StudyResult<Rules> {
    study(
        "going-home,six-three=off,join-throws,reopen,alliance",
        Design::OneAtATime,
        &["random", "easy"],
        60,
    )
}

fn guti() -> StudyResult<sholo_guti::Rules> {
    let bots = ["random".to_owned(), "easy".to_owned()];
    let vary = ["all".to_owned()];
    let rules = sholo_guti::Rules::standard();
    let study = Study::new::<SholoGuti>(rules, &vary, Design::OneAtATime, &bots, 1, 6).unwrap();
    StudyResult::new::<SholoGuti>(&study, &run_study::<SholoGuti>(&study, 2, &()).unwrap().tally)
}

fn tournament(lineups: &str) -> TournamentResult<Rules> {
    let bots: Vec<String> = lineups.split(',').map(str::to_owned).collect();
    let amount = Amount::Games(60);
    let experiment =
        Experiment::lineup::<Sho>(small(), &bots, Schedule::Rotations, 1, amount).unwrap();
    TournamentResult::new::<Sho>(&experiment, &run::<Sho>(&experiment, 2, &()).unwrap().tally)
}

/// Names that no file would have: signs of XML, control characters, letters that no table has, and no end.
fn odd_names() -> Vec<String> {
    vec![
        "<script>alert('&amp;\"')</script>".to_owned(),
        "a\u{1}b\u{7f} ]]> 象の名前 🎲".to_owned(),
        format!("exec:command=python3 bots/{}.py --level 7", "very".repeat(60)),
        "W".repeat(300),
        String::new(),
    ]
}

fn histogram(pairs: &[(u32, u64)]) -> Histogram {
    let mut histogram = Histogram::default();
    for &(value, count) in pairs {
        histogram.add_many(value, count);
    }
    histogram
}

/// One picture of each kind, with odd names and odd numbers.
fn odd_pictures() -> Vec<Picture> {
    let names = odd_names();
    let heading = |name: &str| Heading {
        name: name.to_owned(),
        title: names[0].clone(),
        under: names[1].clone(),
        about: names.join(" "),
        notes: names.clone(),
    };
    let point = |value: f64| {
        Some(ForestPoint {
            value,
            own: Some([value - 0.5, value + 0.5]),
            all: (value != 2.0).then_some([value - 1.0, value + 1.0]),
            text: format!("{value}"),
        })
    };
    let rows = (names.iter().enumerate()).map(|(index, name)| ForestRow {
        name: name.clone(),
        points: (0..names.len())
            .map(|series| point(10_f64.powi(index as i32) * (series as f64 - 2.0)))
            .collect(),
        both_ways: index == 1,
    });
    let forest = Forest {
        heading: heading("forest"),
        axis: names[3].clone(),
        series: names.clone(),
        rows: rows.collect(),
    };
    let dot = |value| Some(Dot { value, interval: Some([value - 0.1, value + 0.1]) });
    let dots = Dots {
        heading: heading("dots"),
        axis: names[2].clone(),
        series: names.clone(),
        reference: names[0].clone(),
        rows: (names.iter())
            .map(|name| DotRow { name: name.clone(), reference: Some(0.25) })
            .collect(),
        panels: (names.iter())
            .map(|name| DotPanel {
                name: name.clone(),
                rows: vec![vec![dot(0.2), None, dot(0.9), dot(0.333), dot(0.0)]; names.len()],
            })
            .collect(),
    };
    let line = |name: &String, longest| LengthLine {
        name: name.clone(),
        games: histogram(&[(3, 5), (longest / 2, 50), (longest, 7)]),
    };
    let panels = (names.iter().enumerate()).map(|(index, name)| LengthPanel {
        name: name.clone(),
        base: line(name, 10_u32.pow(index as u32 + 1)),
        lines: names.iter().map(|name| line(name, 40)).collect(),
    });
    let lengths = Lengths {
        heading: heading("lengths"),
        axis: names[3].clone(),
        step: "throw".to_owned(),
        panels: panels.collect(),
    };
    // Nothing to be shown is no reason for a panic.
    let empty = Forest { rows: Vec::new(), series: Vec::new(), ..forest.clone() };
    let no_dots = Dots { rows: Vec::new(), panels: Vec::new(), ..dots.clone() };
    let no_games = Lengths {
        panels: vec![LengthPanel {
            name: String::new(),
            base: LengthLine { name: String::new(), games: Histogram::default() },
            lines: Vec::new(),
        }],
        ..lengths.clone()
    };
    vec![forest.draw(), dots.draw(), lengths.draw(), empty.draw(), no_dots.draw(), no_games.draw()]
}

fn all_pictures() -> Vec<Picture> {
    let mut pictures = study_pictures(&pinned());
    pictures.extend(study_pictures(&study("all", Design::OneAtATime, &["easy"], 3)));
    pictures.extend(study_pictures(&study(
        "going-home,six-three=off,join-throws",
        Design::Factorial,
        &["random", "easy", "hard"],
        5,
    )));
    pictures.extend(study_pictures(&study("sides", Design::OneAtATime, &["random", "easy"], 1)));
    pictures.extend(study_pictures(&guti()));
    pictures.extend(tournament_pictures(&tournament("easy,random")));
    pictures.extend(odd_pictures());
    pictures
}

/// A text with the rectangle that it may take: left, right, top, bottom.
fn boxes<'a>(document: &'a Document<'a>) -> Vec<(&'a str, [f64; 4])> {
    let texts = document.descendants().filter(|node| node.has_tag_name((SVG, "text")));
    let of = |node: Node<'a, 'a>| {
        let number = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let text = node.text().unwrap_or_default();
        let size = number("font-size");
        let weight =
            if node.attribute("font-weight").is_some() { Weight::Bold } else { Weight::Plain };
        let width = text_width(text, size as u32, weight);
        let left = match node.attribute("text-anchor") {
            None => number("x"),
            Some("middle") => number("x") - width / 2.0,
            Some("end") => number("x") - width,
            Some(other) => panic!("anchor {other}"),
        };
        let base = number("y");
        (text, [left, left + width, base - 0.75 * size, base + 0.22 * size])
    };
    texts.map(of).collect()
}

const SVG: &str = "http://www.w3.org/2000/svg";

#[test]
fn pictures_are_xml_with_a_title_and_a_description() {
    for picture in all_pictures() {
        let file = picture.file();
        let document = Document::parse(&file).unwrap_or_else(|error| panic!("{error} in {file}"));
        let root = document.root_element();
        assert!(root.has_tag_name((SVG, "svg")));
        assert_eq!(root.attribute("role"), Some("img"));
        let named = |tag: &str| {
            let node = root.children().find(|node| node.has_tag_name((SVG, tag))).unwrap();
            (node.attribute("id").unwrap().to_owned(), node.text().unwrap_or_default().to_owned())
        };
        let ((title, said), (about, described)) = (named("title"), named("desc"));
        assert_eq!(root.attribute("aria-labelledby"), Some(format!("{title} {about}").as_str()));
        // What XML cannot say is replaced, and nothing else is changed.
        let allowed = |text: &str| -> String {
            text.chars().map(|sign| if sign.is_control() { '\u{fffd}' } else { sign }).collect()
        };
        assert_eq!((said, described), (allowed(&picture.title), allowed(&picture.about)));
        let tags: BTreeSet<&str> = document
            .descendants()
            .filter(Node::is_element)
            .map(|node| node.tag_name().name())
            .collect();
        let known = ["circle", "desc", "g", "line", "path", "rect", "svg", "text", "title"];
        assert!(tags.iter().all(|tag| known.contains(tag)), "{tags:?}");
        assert!(!file.contains("NaN") && !file.contains("inf\""), "{file}");
    }
}

#[test]
fn texts_stay_in_the_picture_and_off_one_another() {
    for picture in all_pictures() {
        let file = picture.file();
        let document = Document::parse(&file).unwrap();
        let root = document.root_element();
        let size: Vec<f64> = (root.attribute("viewBox").unwrap().split(' '))
            .map(|number| number.parse().unwrap())
            .collect();
        let boxes = boxes(&document);
        assert!(boxes.len() > 1, "{file}");
        for (index, (text, [left, right, top, bottom])) in boxes.iter().enumerate() {
            let inside = *left >= 0.0 && *right <= size[2] && *top >= 0.0 && *bottom <= size[3];
            assert!(inside, "{}: `{text}` from {left} to {right}", picture.name);
            for (other, there) in &boxes[index + 1..] {
                let apart = *right <= there[0]
                    || there[1] <= *left
                    || *bottom <= there[2]
                    || there[3] <= *top;
                let empty = text.is_empty() || other.is_empty();
                assert!(apart || empty, "{}: `{text}` and `{other}`", picture.name);
            }
        }
    }
}

#[test]
fn the_same_result_gives_the_same_bytes_from_a_file_as_well() {
    let result = pinned();
    let json = serde_json::to_string(&result).unwrap();
    let read: StudyResult<Rules> = serde_json::from_str(&json).unwrap();
    let (pictures, again) = (study_pictures(&result), study_pictures(&read));
    assert_eq!(pictures, again);
    let names: Vec<&str> = pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(names, ["effects-throws", "seats", "lengths-random", "lengths-easy"]);
    assert_eq!(study_page::<Sho>(&result, &pictures), study_page::<Sho>(&result, &again));
    for picture in &pictures {
        assert!(picture.file().len() < 60_000, "{}", picture.name);
    }
}

/// Two policies whose names differ in signs alone have files of their own.
#[test]
fn every_picture_has_a_file_of_its_own() {
    let mut result = study("join-throws", Design::OneAtATime, &["random", "easy"], 2);
    for (policy, name) in result.policies.iter_mut().zip(["Exec:a/b", "exec:a b"]) {
        policy.name = name.to_owned();
    }
    let names: Vec<String> =
        study_pictures(&result).into_iter().map(|picture| picture.name).collect();
    assert_eq!(names[2..], ["lengths-exec-a-b", "lengths-exec-a-b-2"]);
}

/// Where a change is meant to change it, write it anew with `SHO_GOLDEN=write`, and look at it before it is kept.
#[test]
fn golden_picture() {
    let path = format!("{}/tests/golden/effects.svg", env!("CARGO_MANIFEST_DIR"));
    let file = study_pictures(&pinned())[0].file();
    if std::env::var_os("SHO_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, &file).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(stored == file, "{path} has changed; now it is\n{file}");
}

/// The marks of a forest stand where the axis says that their numbers are.
#[test]
fn marks_stand_where_the_axis_says() {
    let result = study("going-home", Design::OneAtATime, &["random"], 60);
    let effect = &result.policies[0].effects[0];
    let file = study_pictures(&result)[0].file();
    let document = Document::parse(&file).unwrap();
    let ticks: Vec<(f64, f64)> = document
        .descendants()
        .filter(|node| node.attribute("text-anchor") == Some("middle"))
        .filter_map(|node| {
            let value = node.text()?.replace('−', "-").parse().ok()?;
            Some((value, node.attribute("x")?.parse().ok()?))
        })
        .collect();
    let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
    let at = |value: f64| first.1 + (value - first.0) / (last.0 - first.0) * (last.1 - first.1);
    let group = document.descendants().find(|node| node.has_tag_name((SVG, "g"))).unwrap();
    let number =
        |node: Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let mark = group.children().find(|node| node.has_tag_name((SVG, "circle"))).unwrap();
    assert!((number(mark, "cx") - at(effect.effect)).abs() < 0.4);
    let line = group.children().find(|node| node.has_tag_name((SVG, "line"))).unwrap();
    let [low, high] = effect.simultaneous.unwrap();
    assert!(
        (number(line, "x1") - at(low)).abs() < 0.4 && (number(line, "x2") - at(high)).abs() < 0.4
    );
    assert!(ticks.len() > 2);
}

fn parse_page(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}"))
}

/// The whole text of an element.
fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn numbers(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Number(number) => {
            found.insert(number.as_f64().unwrap().to_string());
        }
        Value::Array(all) => all.iter().for_each(|value| numbers(value, found)),
        Value::Object(all) => all.values().for_each(|value| numbers(value, found)),
        _ => {}
    }
}

/// Each element `data`: its value stands in the document, and its text is that value, rounded.
fn check_data(page: &str, json: &Value) {
    let document = parse_page(page);
    let mut known = BTreeSet::new();
    numbers(json, &mut known);
    let mut count = 0;
    for node in document.descendants().filter(|node| node.has_tag_name("data")) {
        let value = node.attribute("value").unwrap();
        assert!(known.contains(value), "{value} is not in the result");
        let text = text_of(node).replace('−', "-").replace(',', "");
        let (text, scale) = match text.strip_suffix("\u{a0}%") {
            Some(text) => (text.to_owned(), 100.0),
            None => (text, 1.0),
        };
        let digits = text.split_once('.').map_or(0, |(_, behind)| behind.len());
        let (shown, value): (f64, f64) = (text.parse().unwrap(), value.parse().unwrap());
        let off = (shown - value * scale).abs();
        assert!(off <= 0.5000001 * 0.1_f64.powi(digits as i32), "{text} for {value}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// The rows of the table of this name, by their first two cells.
fn rows<'a>(
    document: &'a Document<'a>,
    name: &str,
) -> BTreeMap<(String, String), Vec<Node<'a, 'a>>> {
    let table = document.descendants().find(|node| node.attribute("aria-label") == Some(name));
    let body = table.unwrap().descendants().find(|node| node.has_tag_name("tbody")).unwrap();
    let rows = body.children().filter(|node| node.has_tag_name("tr"));
    rows.map(|row| {
        let cells: Vec<_> = row.children().filter(Node::is_element).collect();
        ((text_of(cells[0]), text_of(cells[1])), cells)
    })
    .collect()
}

/// The values of the elements `data` in a cell.
fn values(cell: Node<'_, '_>) -> Vec<f64> {
    let of = cell.descendants().filter_map(|node| node.attribute("value"));
    of.map(|value| value.parse().unwrap()).collect()
}

#[test]
fn a_page_has_the_numbers_of_its_result_where_they_belong() {
    let result = pinned();
    let page = study_page::<Sho>(&result, &study_pictures(&result));
    let json: Value = serde_json::to_value(&result).unwrap();
    check_data(&page, &json);
    let document = parse_page(&page);
    let effects = rows(&document, "effects on throws");
    let seats = rows(&document, "effects on seats");
    let cells = rows(&document, "cells");
    let pair = |value: &Value| -> Vec<f64> {
        let ends = value.as_array().map(|ends| ends.iter().map(|end| end.as_f64().unwrap()));
        ends.into_iter().flatten().collect()
    };
    let mut seen = 0;
    for policy in json["policies"].as_array().unwrap() {
        let who = policy["name"].as_str().unwrap();
        for effect in policy["effects"].as_array().unwrap() {
            let key = (effect["contrast"].as_str().unwrap().to_owned(), who.to_owned());
            let value = effect["effect"].as_f64().unwrap();
            let ends = pair(&effect["simultaneous"]);
            match effect["measure"].as_str().unwrap() {
                "throws" => {
                    let row = &effects[&key];
                    assert_eq!(values(row[2]), [value], "{key:?}");
                    assert_eq!(values(row[3]), pair(&effect["interval"]));
                    assert_eq!(values(row[4]), ends);
                    let shown = ends.len() == 2 && (ends[0] > 0.0 || ends[1] < 0.0);
                    assert_eq!(text_of(row[5]).starts_with("shown"), shown, "{key:?}");
                    seen += 1;
                }
                "payoff_B" => assert_eq!(values(seats[&key][3])[0], value),
                _ => {}
            }
        }
        for cell in policy["cells"].as_array().unwrap() {
            let key = (cell["cell"].as_str().unwrap().to_owned(), who.to_owned());
            let row = &cells[&key];
            let length = &cell["lengths"][0];
            let median = length["median"].as_f64().unwrap();
            assert_eq!(values(row[2]), [length["mean"].as_f64().unwrap()]);
            assert_eq!(values(row[3]), [median]);
            let minutes = |key: &str| cell["minutes"][key].as_f64().unwrap();
            assert_eq!(values(row[5]), [minutes("mean")]);
            assert_eq!(values(row[6]), [minutes("median")]);
            assert_eq!(values(row[7]), [minutes("q05"), minutes("q95")]);
            assert_eq!(values(row[8]), [cell["seats"][0]["score"].as_f64().unwrap()]);
        }
    }
    assert_eq!(seen, effects.len());
    assert_eq!(effects.len(), result.contrasts.len() * 2);
}

#[test]
fn a_page_stands_alone_and_names_where_it_comes_from() {
    let mut result = pinned();
    let mut pages = vec![study_page::<Sho>(&result, &study_pictures(&result))];
    let guti = guti();
    pages.push(study_page::<SholoGuti>(&guti, &study_pictures(&guti)));
    check_data(&pages[1], &serde_json::to_value(&guti).unwrap());
    let factorial = study("going-home,join-throws", Design::Factorial, &["easy"], 30);
    pages.push(study_page::<Sho>(&factorial, &study_pictures(&factorial)));
    check_data(&pages[2], &serde_json::to_value(&factorial).unwrap());
    assert!(pages[0].contains(&result.digest) && pages[0].contains("20261130"));
    // A name may be anything.
    result.policies[0].name = odd_names()[0].clone();
    result.provenance = None;
    pages.push(study_page::<Sho>(&result, &study_pictures(&result)));
    for page in &pages {
        let document = parse_page(page);
        let lower = page.to_lowercase();
        for word in
            ["http", "<script", "<link", "<img", "href", "src=", "@import", "url(", "onload"]
        {
            assert!(!lower.contains(word), "{word}");
        }
        let ids: Vec<&str> =
            document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        let pictures = document.descendants().filter(|node| node.has_tag_name("svg")).count();
        assert!(pictures >= 3, "{pictures}");
    }
}

/// What is said of an effect is what its interval among all says.
#[test]
fn sentences_call_shown_what_is_shown() {
    let result = pinned();
    let page = study_page::<Sho>(&result, &[]);
    let document = parse_page(&page);
    let sentences: Vec<String> =
        (document.descendants()).filter(|node| node.has_tag_name("li")).map(text_of).collect();
    let effects = result.policies.iter().flat_map(|policy| &policy.effects);
    let main: Vec<_> = effects.filter(|effect| effect.measure == "throws").collect();
    let clear = main.iter().filter(|effect| effect.is_clear()).count();
    assert!(clear > 0 && clear < main.len());
    assert!(sentences[0].starts_with(&format!("Of {} effects on throws, {clear} ", main.len())));
    for contrast in &result.contrasts {
        let name = &contrast.name;
        let effects: Vec<_> = main.iter().filter(|effect| effect.contrast == *name).collect();
        let says = |words: &str| {
            sentences
                .iter()
                .any(|sentence| sentence.starts_with(&format!("{name} makes games {words}")))
        };
        let above = effects.iter().any(|of| of.is_clear() && of.effect > 0.0);
        let below = effects.iter().any(|of| of.is_clear() && of.effect < 0.0);
        assert_eq!(says("longer:"), above && !below, "{name}: {sentences:#?}");
        assert_eq!(says("shorter:"), below && !above, "{name}: {sentences:#?}");
        if !above && !below {
            let negative = ["Not shown with any policy", "All games were those of the base"];
            let named = sentences.iter().any(|sentence| {
                negative.iter().any(|words| sentence.starts_with(words)) && sentence.contains(name)
            });
            assert!(named, "{name}: {sentences:#?}");
        }
    }
}

#[test]
fn the_command_says_what_deviates() {
    let result = pinned();
    let command = study_command(&result).unwrap();
    for part in ["--set sides=2", "--set shells=24", "--set coins=4"] {
        assert!(command.contains(part), "{command}");
    }
    assert!(
        command.contains("--vary going-home=exact,six-three=off,join-throws=no,reopen="),
        "{command}"
    );
    assert!(result.rules.summary().starts_with("lhasa"));
    let all = study("all", Design::OneAtATime, &["easy"], 1);
    assert!(study_command(&all).unwrap().contains("--vary all "));
    let mut later = result;
    later.block_range.from = 5;
    assert_eq!(study_command(&later), None);
}
