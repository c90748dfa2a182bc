//! zstd in and out of a column, with the size kept beside it so that unpacking is bounded.
//!
//! A content can be packed alone, or onto another one that it resembles: then what both have in
//! common takes next to no room, and unpacking needs the same other content again. Given a wrong one
//! it fails or yields wrong bytes; the caller checks a hash.

use std::io;

use zstd::zstd_safe::{self, CCtx, CParameter, DCtx};

use crate::StoreError;

/// Level 3: plan text shrinks to a third, and a megabyte takes a few milliseconds.
const LEVEL: i32 = 3;

/// Bytes of both contents from which on what they share is looked for far apart.
const LONG: usize = 1 << 20;

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

/// Packs a content onto another one.
pub(crate) fn pack_onto(content: &[u8], base: &[u8]) -> Result<Packed, StoreError> {
    let both = content.len().saturating_add(base.len());
    let pack = || {
        let mut context = CCtx::try_create()?;
        context
            .set_parameter(CParameter::CompressionLevel(LEVEL))
            .ok()?;
        // All of the base stays within reach until the end of the content.
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

/// The logarithm of a window that holds so many bytes, within what zstd can do everywhere.
fn window(bytes: usize) -> u32 {
    bytes.next_power_of_two().ilog2().clamp(10, 27)
}

/// Unpacks a content that was packed onto `base`, with the same care as [`unpack`].
pub(crate) fn unpack_onto(packed: &Packed, base: &[u8], what: &str) -> Result<Vec<u8>, StoreError> {
    let damaged = || StoreError::damaged(format!("{what} cannot be unpacked"));
    let size = usize::try_from(packed.size).map_err(|_| damaged())?;
    // What zstd itself says of the size is believed no further than the column.
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
