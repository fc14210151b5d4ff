//! The behaviour signature, with the lines that it is made of: another platform, compiler or version must give the same.
//!
//! Where a change is meant to change how something plays, write them anew and look at the lines that differ:
//!
//! ```console
//! SHO_GOLDEN=write cargo test -p sho-bench --test signature
//! ```

use sho_bench::signature::{lines, of_lines, signature};
use sho_core::{sho, sholo_guti};

#[test]
fn the_signature_is_the_stored_one() {
    let lines = lines::<sho::Sho, sholo_guti::SholoGuti>();
    assert_eq!(signature(), of_lines(&lines));
    let text = format!("{}\nsignature {}\n", lines.join("\n"), signature());
    let path = format!("{}/tests/golden/signature.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SHO_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let changed: Vec<&str> =
        text.lines().filter(|line| !stored.lines().any(|other| other == *line)).collect();
    assert!(text == stored, "what has changed:\n{}", changed.join("\n"));
}

#[test]
fn the_plain_engines_make_the_same_lines() {
    let plain = lines::<sho::plain::Sho, sholo_guti::plain::SholoGuti>();
    assert_eq!(plain, lines::<sho::Sho, sholo_guti::SholoGuti>());
}
