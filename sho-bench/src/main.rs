//! The command `sho`.

fn main() {}
