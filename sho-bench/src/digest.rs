//! SHA-256 digests as lower-case hexadecimal text, the form in which the files and the signature show them.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The digest of these bytes: 64 digits.
pub(crate) fn of_bytes(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of a document as compact JSON, which has its fields in the order of their declaration.
pub(crate) fn of_json(document: &impl Serialize) -> String {
    // The documents hold strings, numbers and maps with string keys: nothing that JSON cannot hold.
    of_bytes(&serde_json::to_vec(document).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        // The example "abc" of FIPS 180-2, and the same letters as a JSON string.
        assert_eq!(
            of_bytes(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(of_json(&"abc"), of_bytes(b"\"abc\""));
    }
}
