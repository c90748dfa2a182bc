//! How much a word tells: how rare it is in prose at large.
//!
//! A table, counted by `cargo xtask tables` and shipped with the crate (its sources and their licences
//! are named in `data/README.md`), says of some hundred thousand words in forty languages how many
//! bits one learns from a passage of [`PASSAGE`] words holding the word: none where nearly every passage
//! does ("the", "mit", "的"), four where one in sixteen does. A word that is not in it is as rare as a
//! word can be here, [`RAREST`]: a name, a slip, a number.
//!
//! Words are looked up without their endings. Nothing is read at run time, and
//! the same text weighs the same everywhere. A table that is damaged, or of another version, is refused;
//! then every word is as rare as any other, and what steps say of their own cannot be told.

use std::sync::LazyLock;

use thiserror::Error;

/// One word, without endings and in lower case, as a number.
pub type Term = u64;

/// The words of a passage: about a step with what stands under it.
pub const PASSAGE: f64 = 100.0;
/// The bits that a word tells that is in no list.
pub const RAREST: f64 = 13.0;

/// Steps of one bit in which the table counts.
const STEPS: f64 = 16.0;
const MAGIC: [u8; 4] = *b"rare";
const VERSION: u16 = 1;
/// Magic, version, checksum.
const HEAD_LEN: usize = 4 + 2 + 4;
/// Words are kept in shelves by the first bits of their hash.
const SHELVES: usize = 1 << 16;
const INDEX_LEN: usize = (SHELVES + 1) * 4;
/// The next bits of the hash, and the bits it tells.
const ENTRY_LEN: usize = 2 + 1;

static SHIPPED: LazyLock<Result<Table<'static>, TableError>> =
    LazyLock::new(|| Table::read(include_bytes!("../data/words.bin")));

/// Why the table that came with the program cannot be used; `None` where it can.
pub(crate) fn fault() -> Option<TableError> {
    SHIPPED.as_ref().err().copied()
}

/// Why a table cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TableError {
    /// It is no table of words at all.
    #[error("this is no table of words")]
    NoTable,
    /// Another version of Planwright wrote it.
    #[error("this table of words has version {0}, and {VERSION} is read")]
    Version(u16),
    /// Its checksum is not that of its content, or its parts do not fit each other.
    #[error("this table of words is damaged")]
    Damaged,
}

/// Words and what they tell.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    index: &'a [u8],
    entries: &'a [u8],
}

impl<'a> Table<'a> {
    /// Reads what [`written`] wrote.
    ///
    /// # Errors
    /// [`TableError`] where it is something else, or not whole.
    pub fn read(bytes: &'a [u8]) -> Result<Self, TableError> {
        let (head, content) = bytes
            .split_at_checked(HEAD_LEN)
            .ok_or(TableError::NoTable)?;
        if head[..4] != MAGIC {
            return Err(TableError::NoTable);
        }
        let version = u16::from_le_bytes([head[4], head[5]]);
        if version != VERSION {
            return Err(TableError::Version(version));
        }
        if head[6..] != crc32fast::hash(content).to_le_bytes() {
            return Err(TableError::Damaged);
        }
        let (index, entries) = content
            .split_at_checked(INDEX_LEN)
            .ok_or(TableError::Damaged)?;
        Ok(Self { index, entries })
    }

    /// The bits that a word tells; `None` where it is not in the table.
    pub fn bits(&self, term: Term) -> Option<f64> {
        let (shelf, rest) = place(term);
        let shelf = self
            .entries
            .get(self.start(shelf)?..self.start(shelf + 1)?)?;
        let found = shelf
            .chunks_exact(ENTRY_LEN)
            .find(|entry| u16::from_le_bytes([entry[0], entry[1]]) == rest)?;
        Some(f64::from(found[2]) / STEPS)
    }

    fn start(&self, shelf: usize) -> Option<usize> {
        let bytes = self.index.get(shelf * 4..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes) as usize * ENTRY_LEN)
    }
}

/// A table of these words as a file. Of two words that cannot be told apart the more common one counts.
pub fn written(words: impl IntoIterator<Item = (Term, f64)>) -> Vec<u8> {
    let mut entries: Vec<(usize, u16, u8)> = words
        .into_iter()
        .map(|(term, bits)| {
            let (shelf, rest) = place(term);
            // Rounded and bounded: a float becomes what fits one byte.
            (shelf, rest, (bits.clamp(0.0, RAREST) * STEPS).round() as u8)
        })
        .collect();
    entries.sort_unstable();
    entries.dedup_by_key(|(shelf, rest, _)| (*shelf, *rest));
    let mut content = Vec::with_capacity(INDEX_LEN + entries.len() * ENTRY_LEN);
    let mut at = 0;
    for shelf in 0..=SHELVES {
        while entries.get(at).is_some_and(|entry| entry.0 < shelf) {
            at += 1;
        }
        content.extend(u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes());
    }
    for (_, rest, bits) in entries {
        content.extend(rest.to_le_bytes());
        content.push(bits);
    }
    let mut table = Vec::with_capacity(HEAD_LEN + content.len());
    table.extend(MAGIC);
    table.extend(VERSION.to_le_bytes());
    table.extend(crc32fast::hash(&content).to_le_bytes());
    table.extend(content);
    table
}

/// The bits that a word tells, 0 to [`RAREST`], by the shipped table.
pub(crate) fn bits(term: Term) -> f64 {
    known_bits(term).unwrap_or(RAREST)
}

/// The same; `None` for a word that the shipped table does not have.
pub(crate) fn known_bits(term: Term) -> Option<f64> {
    let table = SHIPPED.as_ref().ok();
    table.and_then(|table| table.bits(term))
}

/// Whether the shipped table has this word.
pub(crate) fn is_known(term: Term) -> bool {
    known_bits(term).is_some()
}

/// A word as a number.
pub fn hash(bytes: &[u8]) -> Term {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        hash ^= u64::from(*byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Which shelf a word stands in, and what it is known by there.
fn place(term: Term) -> (usize, u16) {
    // The hash of a short word has few bits set at its upper end.
    let mixed = term.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 48) as usize, (mixed >> 32) as u16)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_table_that_is_cut_changed_or_newer_is_refused() {
        let table = written([(1, 2.0), (2, 3.5)]);
        assert_eq!(Table::read(&[]).err(), Some(TableError::NoTable));
        assert_eq!(
            Table::read(b"something else").err(),
            Some(TableError::NoTable)
        );
        for at in (HEAD_LEN..table.len())
            .step_by(4099)
            .chain([table.len() - 1])
        {
            let mut changed = table.clone();
            changed[at] ^= 1;
            assert_eq!(
                Table::read(&changed).err(),
                Some(TableError::Damaged),
                "{at}"
            );
            assert_eq!(
                Table::read(&table[..at]).err(),
                Some(TableError::Damaged),
                "{at}"
            );
        }
        let mut newer = table;
        newer[4] = 2;
        assert_eq!(Table::read(&newer).err(), Some(TableError::Version(2)));
    }

    #[test]
    fn words_that_stand_everywhere_tell_nothing_in_any_language() {
        for text in [
            "and the of to with",
            "und der die mit nicht",
            "et les dans pour",
            "y los para con",
            "и в не на",
        ] {
            crate::terms::of(text, None, &mut |term, _, word| {
                assert!(bits(term) < 2.0, "{word}: {}", bits(term));
            });
        }
        for name in ["shelflife", "prometheus", "webauthn", "nginx"] {
            crate::terms::of(name, None, &mut |term, _, word| {
                assert!(bits(term) > 7.0, "{word}: {}", bits(term));
            });
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_found(words in proptest::collection::btree_map(any::<u64>(), 0.0_f64..13.0, 0..200)) {
            let table = written(words.clone());
            let table = Table::read(&table).unwrap();
            for (term, bits) in words {
                let found = table.bits(term).unwrap();
                prop_assert!((found - bits).abs() <= 1.0 / STEPS, "{found} {bits}");
            }
        }
    }
}
