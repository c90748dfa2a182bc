//! Maps and sets with a faster hash, for the hot paths of a check.
//!
//! The hash is Firefox's (FxHash): one multiplication for eight bytes. It does not protect against
//! chosen keys, so these maps are for words, ids and paths of one plan, and no rule may depend on
//! their order.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map for lookups in every step.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// A set for lookups in every step.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<QuickHasher>>;

/// An empty map with the given capacity.
pub(crate) fn map_for<K, V>(count: usize) -> QuickMap<K, V> {
    QuickMap::with_capacity_and_hasher(count, BuildHasherDefault::default())
}

/// An empty set with the given capacity.
pub(crate) fn set_for<K>(count: usize) -> QuickSet<K> {
    QuickSet::with_capacity_and_hasher(count, BuildHasherDefault::default())
}

/// Hasher state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    #[inline]
    fn eat(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for QuickHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.eat(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.eat(u64::from_le_bytes(last));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.eat(u64::from(number));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.eat(u64::from(number));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.eat(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.eat(number as u64);
    }

    // Maps index by the low bits, and the low bits of a product depend little on the high ones.
    #[inline]
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_have_different_hashes() {
        use std::hash::Hash as _;
        let hash = |name: &str| {
            let mut hasher = QuickHasher::default();
            name.hash(&mut hasher);
            hasher.finish()
        };
        let mut low: QuickSet<u64> = set_for(10_000);
        for number in 0..10_000 {
            low.insert(hash(&format!("src/m{}/r{number}.py", number % 97)) & 0xffff);
        }
        // Ten thousand random values among 65,536 would have about 9,300 distinct ones.
        assert!(low.len() > 9_000, "{}", low.len());
    }
}
