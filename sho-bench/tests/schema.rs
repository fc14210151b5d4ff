//! The JSON Schemas in `docs/schema` say what the program writes: the same keys, and the same settings with the same
//! values.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use sho_ai::Bots;
use sho_bench::{Amount, Experiment, Schedule, TournamentResult, run};
use sho_core::record::{Record, SCHEMA as RECORD};
use sho_core::{Notation, RuleSet, SettingValues, sho, sholo_guti};

fn schema(name: &str) -> Value {
    let path = format!("{}/../docs/schema/{name}-1.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The keys of an object.
fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The strings of an array.
fn words(array: &Value) -> BTreeSet<&str> {
    array.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// The schema of an object names exactly its keys, and asks for each but `optional` ones.
#[track_caller]
fn names_the_keys(schema: &Value, object: &Value, optional: &[&str]) {
    let all = keys(object).into_iter().chain(optional.iter().copied()).collect();
    assert_eq!(keys(&schema["properties"]), all);
    let required = keys(object).into_iter().filter(|key| !optional.contains(key)).collect();
    assert_eq!(words(&schema["required"]), required);
    assert_eq!(schema["additionalProperties"], false);
}

/// What a schema says of one game alone.
fn of_game<'a>(schema: &'a Value, game: &str) -> &'a Value {
    let cases = schema["allOf"].as_array().unwrap();
    let case = cases.iter().find(|case| case["if"]["properties"]["game"]["const"] == game).unwrap();
    &case["then"]["properties"]
}

fn rules_agree<R: RuleSet + Serialize>(schema: &Value, rules: R) {
    names_the_keys(schema, &serde_json::to_value(rules).unwrap(), &[]);
    for setting in R::SETTINGS {
        let said = &schema["properties"][setting.name];
        match setting.values {
            SettingValues::Words(possible) => {
                assert_eq!(words(&said["enum"]), possible.iter().copied().collect());
            }
            SettingValues::YesNo => assert_eq!(words(&said["enum"]), BTreeSet::from(["no", "yes"])),
            SettingValues::Range(low, high) => {
                assert_eq!((&said["minimum"], &said["maximum"]), (&low.into(), &high.into()));
            }
            _ => assert_eq!(said["type"], "array", "{}", setting.name),
        }
    }
}

fn check<G: Bots + Notation>(rules: G::Rules)
where
    G::Rules: Serialize,
{
    let (record_schema, schema) = (schema("record"), schema("tournament"));
    for schema in [&record_schema, &schema] {
        rules_agree(&schema["$defs"][format!("rules-{}", G::NAME)], rules);
        assert!(words(&schema["properties"]["game"]["enum"]).contains(G::NAME));
    }

    let bots = ["easy", "random"].map(String::from);
    let rotations = Schedule::Rotations;
    let experiment =
        Experiment::lineup::<G>(rules, &bots, rotations, 1, Amount::Blocks(2)).unwrap();
    let tally = run::<G>(&experiment, 1, &()).unwrap();
    let result = TournamentResult::new::<G>(&experiment, &tally);
    let result = serde_json::to_value(&result).unwrap();
    let (parts, own) = (&schema["$defs"], of_game(&schema, G::NAME));
    names_the_keys(&schema, &result, &["opening_turns", "distinct_games"]);
    let has = |key: &str| result.get(key).is_some();
    assert_eq!([has("opening_turns"), has("distinct_games")], [!G::HAS_CHANCE; 2]);
    assert_eq!(schema["properties"]["schema"]["const"], result["schema"]);
    for part in ["block_range", "provenance"] {
        names_the_keys(&schema["properties"][part], &result[part], &[]);
    }
    for part in ["ends", "lengths"] {
        names_the_keys(&own[part], &result[part], &[]);
    }
    names_the_keys(&parts["bot"], &result["bots"][0], &[]);
    names_the_keys(&parts["seat"], &result["seats"][0], &[]);
    names_the_keys(&parts["length"], &result["lengths"]["turns"], &[]);
    let schedules = Schedule::ALL.iter().map(|&(_, name)| name).collect();
    assert_eq!(words(&schema["properties"]["schedule"]["enum"]), schedules);

    let game = G::new(rules).unwrap();
    let mut record = Record::new(&game, &game.start());
    (record.seed, record.address, record.end) =
        (Some(1), Some("0.0.0".to_owned()), Some("home".to_owned()));
    let optional = ["seed", "address", "end"];
    names_the_keys(&record_schema, &serde_json::to_value(&record).unwrap(), &optional);
    assert_eq!(record_schema["properties"]["schema"]["const"], RECORD);
    let ends = words(&of_game(&record_schema, G::NAME)["end"]["enum"]);
    assert_eq!(ends, G::ENDS.iter().copied().collect());
}

#[test]
fn the_schemas_name_what_is_written() {
    let mut rules = sho::Rules::lhasa();
    rules.sides = 2;
    check::<sho::Sho>(rules);
    check::<sholo_guti::SholoGuti>(sholo_guti::Rules::standard());
}
