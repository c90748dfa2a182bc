//! Compresses a column with zstd. The uncompressed size is stored separately to limit
//! decompression.
//!
//! Content can be compressed alone or against a similar base, so that shared parts take almost no
//! space; decompression then needs the same base. With a wrong base, decompression fails or returns
//! wrong bytes, so the caller verifies a hash.

use std::io;

use zstd::zstd_safe::{self, CCtx, CParameter, DCtx};

use crate::StoreError;

/// The zstd level. At this level, the text of a plan shrinks to a third, at a few milliseconds per
/// megabyte.
const LEVEL: i32 = 3;

/// The size of content and base together, in bytes, above which long-distance matching is used.
const LONG: usize = 1 << 20;

/// Compressed content.
pub(crate) struct Packed {
    pub(crate) size: i64,
    pub(crate) bytes: Vec<u8>,
}

/// Compresses content.
pub(crate) fn pack(content: &[u8]) -> Result<Packed, StoreError> {
    let bytes = zstd::bulk::compress(content, LEVEL).map_err(out_of_memory)?;
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    Ok(Packed { size, bytes })
}

/// Compresses content against a similar base.
pub(crate) fn pack_onto(content: &[u8], base: &[u8]) -> Result<Packed, StoreError> {
    let both = content.len().saturating_add(base.len());
    let pack = || {
        let mut context = CCtx::try_create()?;
        context
            .set_parameter(CParameter::CompressionLevel(LEVEL))
            .ok()?;
        // The window must still contain all of the base at the end of the content.
        context
            .set_parameter(CParameter::WindowLog(window(both)))
            .ok()?;
        if both > LONG {
            let far = CParameter::EnableLongDistanceMatching(true);
            context.set_parameter(far).ok()?;
        }
        context.ref_prefix(base).ok()?;
        let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(content.len()));
        context.compress2(&mut bytes, content).ok()?;
        Some(bytes)
    };
    let bytes = pack().ok_or_else(|| out_of_memory(io::ErrorKind::OutOfMemory.into()))?;
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    Ok(Packed { size, bytes })
}

/// The base-2 logarithm of a window size for this many bytes, within zstd's portable limits.
fn window(bytes: usize) -> u32 {
    bytes.next_power_of_two().ilog2().clamp(10, 27)
}

/// Decompresses content that was compressed against `base`, with the same checks as [`unpack`].
pub(crate) fn unpack_onto(packed: &Packed, base: &[u8], what: &str) -> Result<Vec<u8>, StoreError> {
    let damaged = || StoreError::damaged(format!("can't unpack {what}"));
    let size = usize::try_from(packed.size).map_err(|_| damaged())?;
    // Don't trust the size in the zstd frame if it differs from the column's.
    let told = zstd_safe::get_frame_content_size(&packed.bytes);
    if !matches!(told, Ok(Some(told)) if told == size as u64) {
        return Err(damaged());
    }
    let unpack = || {
        let mut context = DCtx::try_create()?;
        context.ref_prefix(base).ok()?;
        let mut content = Vec::with_capacity(size);
        context.decompress(&mut content, &packed.bytes).ok()?;
        Some(content)
    };
    match unpack() {
        Some(content) if content.len() == size => Ok(content),
        _ => Err(damaged()),
    }
}

/// Decompresses content. A wrong size is an error, and no more than `size` bytes are ever produced.
pub(crate) fn unpack(packed: &Packed, what: &str) -> Result<Vec<u8>, StoreError> {
    let damaged = || StoreError::damaged(format!("can't unpack {what}"));
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

        #[test]
        fn what_goes_in_comes_out_of_a_change_too(content: Vec<u8>, base: Vec<u8>, both: Vec<u8>) {
            let content = [&both[..], &content].concat();
            let base = [&base[..], &both].concat();
            let packed = pack_onto(&content, &base).unwrap();
            prop_assert_eq!(unpack_onto(&packed, &base, "it").unwrap(), content);
        }
    }

    #[test]
    fn a_large_content_is_small_beside_one_that_it_resembles() {
        let mut seed = 7_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_be_bytes()[0]
        };
        let base: Vec<u8> = (0..5 << 20).map(|_| noise()).collect();
        let mut content = base.clone();
        content.splice(100..103, *b"other words");
        let packed = pack_onto(&content, &base).unwrap();
        assert!(packed.bytes.len() < 20_000, "{}", packed.bytes.len());
        assert_eq!(unpack_onto(&packed, &base, "it").unwrap(), content);
        assert!(unpack(&packed, "it").is_err(), "not without the other");
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
