//! Random IDs from the system's randomness: short, lowercase, without look-alike letters.

use crate::error::Result;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A random ID with this many characters of five bits each.
pub fn random(length: usize) -> Result<String> {
    let mut bytes = vec![0_u8; length];
    getrandom::fill(&mut bytes).map_err(|error| {
        err!(Failed:
        "couldn't get random numbers from the system: {error}")
    })?;
    Ok(bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte & 31)]))
        .collect())
}
