//! A start that skips the full check, and its consequences. A separate test program, since damage
//! is remembered per process.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use store::{Phase, Store, StoreError};
use support::{RUN, database, entries, open, run};

/// A large database that is unchanged since its backup is not read in full at start.
#[test]
fn damage_that_a_quick_start_does_not_see_is_mended_at_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    let store = open(folder.path());
    run(&store, 500);
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    })
    .take(34 << 17)
    .flatten()
    .collect();
    store
        .snapshots()
        .put(RUN, "T1", Phase::Before, &noise, 3)
        .unwrap();
    store.backup().unwrap().unwrap();
    drop(store);
    // Simulate a failing disk, which doesn't change the modification time.
    let time = fs::metadata(&db).unwrap().modified().unwrap();
    let file = File::options().write(true).open(&db).unwrap();
    file.write_all_at(&[0xa5; 8000], 16 << 20).unwrap();
    file.set_modified(time).unwrap();

    let store = open(folder.path());
    let read = store.snapshots().get(RUN, "T1", Phase::Before);
    let Err(StoreError::Damaged { .. }) = &read else {
        panic!(
            "the damage was not met: {:?}",
            read.map(|body| body.map(|b| b.len()))
        );
    };
    assert!(read.unwrap_err().to_string().contains("Restart Planwright"));
    drop(store);
    let (store, report) = Store::open(folder.path(), 0).unwrap();
    assert!(report.damaged.unwrap().restored_from.is_some());
    assert_eq!(entries(&store), 500);
    let body = store
        .snapshots()
        .get(RUN, "T1", Phase::Before)
        .unwrap()
        .unwrap();
    assert!(body == noise);
}
