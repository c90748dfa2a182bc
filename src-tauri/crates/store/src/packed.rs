//! zstd in and out of a column, with the size kept beside it so that unpacking is bounded.

use std::io;

use crate::StoreError;

/// Level 3: plan text shrinks to a third, and a megabyte takes a few milliseconds.
const LEVEL: i32 = 3;

/// A content as it lies in a row.
pub(crate) struct Packed {
    pub(crate) size: i64,
    pub(crate) bytes: Vec<u8>,
}

/// Packs a content.
pub(crate) fn pack(content: &[u8]) -> Result<Packed, StoreError> {
    let bytes = zstd::bulk::compress(content, LEVEL).map_err(out_of_memory)?;
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    Ok(Packed { size, bytes })
}

/// Unpacks a content. A wrong size is damage, and never more than `size` bytes come out.
pub(crate) fn unpack(packed: &Packed, what: &str) -> Result<Vec<u8>, StoreError> {
    let damaged = || StoreError::damaged(format!("{what} cannot be unpacked"));
    let size = usize::try_from(packed.size).map_err(|_| damaged())?;
    match zstd::bulk::decompress(&packed.bytes, size) {
        Ok(content) if content.len() == size => Ok(content),
        _ => Err(damaged()),
    }
}

fn out_of_memory(error: io::Error) -> StoreError {
    StoreError::Database(rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(content: Vec<u8>) {
            let packed = pack(&content).unwrap();
            prop_assert_eq!(unpack(&packed, "it").unwrap(), content);
        }
    }

    #[test]
    fn a_changed_size_is_damage() {
        let mut packed = pack(b"one two three").unwrap();
        for size in [0, 12, 14, -1] {
            packed.size = size;
            let unpacked = unpack(&packed, "it");
            assert!(
                matches!(unpacked, Err(StoreError::Damaged { .. })),
                "{size}"
            );
        }
    }
}
