//! `sho bench`: what it prints, not how fast anything is.

use serde_json::Value;

use crate::common::sho;

/// The last line of the stored signature, `signature NUMBER`.
fn stored_signature() -> String {
    let path = format!("{}/tests/golden/signature.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().last().unwrap().to_owned()
}

#[test]
fn the_table_fits_a_screen_and_ends_with_the_signature() {
    let out = sho(&["bench", "--quick", "--threads", "2"]).good();
    assert_eq!(out.lines().last(), Some(stored_signature().as_str()));
    assert!(out.lines().count() <= 38, "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(out.contains("instructions were not counted: --quick"), "{out}");
    assert!(out.contains("bytes of a state: sho 104"), "{out}");
}

fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn the_document_is_that_of_the_schema() {
    let out = sho(&["bench", "--quick", "--format", "json"]).good();
    let report: Value = serde_json::from_str(&out).unwrap();
    let path = format!("{}/../docs/schema/bench-1.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(report["schema"], schema["properties"]["schema"]["const"]);
    let agree = |schema: &Value, object: &Value| {
        assert_eq!(keys(&schema["properties"]), keys(object));
        let mut required: Vec<&str> = schema["required"]
            .as_array()
            .unwrap()
            .iter()
            .map(|key| key.as_str().unwrap())
            .collect();
        required.sort_unstable();
        assert_eq!(required, keys(object));
        assert_eq!(schema["additionalProperties"], false);
    };
    agree(&schema, &report);
    for part in ["provenance", "state_bytes"] {
        agree(&schema["properties"][part], &report[part]);
    }
    for list in ["games", "perft", "bots", "searches"] {
        let items = &schema["properties"][list]["items"];
        for item in report[list].as_array().unwrap() {
            agree(items, item);
        }
    }
    agree(
        &schema["properties"]["games"]["items"]["properties"]["work"],
        &report["games"][0]["work"],
    );
    assert_eq!(format!("signature {}", report["signature"].as_str().unwrap()), stored_signature());
}

/// What is run under valgrind plays the same games in each way, and says how many throws they took.
#[test]
fn counted_games_are_those_that_are_timed() {
    let throws = |counted| sho(&["bench", "--counted", counted]).good();
    assert_eq!(throws("random,playouts,0"), "0\n");
    // As in benches/games.rs.
    assert_eq!(throws("random,playouts,50"), "26136\n");
    assert_eq!(throws("random,arena,50"), "26136\n");
    let error = sho(&["bench", "--counted", "random,sideways,3"]).mistake();
    assert!(error.contains("expected BOT,WAY,BLOCKS"), "{error}");
}
