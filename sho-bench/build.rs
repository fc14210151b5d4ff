//! Finds the commit that the program is built from, for the provenance of results: the environment's `SHO_COMMIT` where
//! it is set, else what git says of this very checkout, else nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=SHO_COMMIT");
    if std::env::var_os("SHO_COMMIT").is_some() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // A package unpacked inside some other repository must not take that one's commit.
    if !root.join(".git").exists() {
        return;
    }
    println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    let output = Command::new("git")
        .args(["describe", "--always", "--dirty", "--abbrev=40"])
        .current_dir(&root)
        .output();
    if let Ok(output) = output
        && output.status.success()
        && let Ok(commit) = String::from_utf8(output.stdout)
    {
        println!("cargo::rustc-env=SHO_COMMIT={}", commit.trim());
    }
}
