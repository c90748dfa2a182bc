//! P9: the time of a durable journal append, compared with the cheapest durable write on the same
//! disk.

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

use store::{Author, NewRevision, NewRun, Store};

use crate::{Figure, middle};

const ROUNDS: i64 = 400;
const PLAN: &str = "plans/figures.md";
const CONTENT: &[u8] = b"";
/// SHA-256 of [`CONTENT`].
const REVISION: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Measures a journal append and a plain durable write. Alternates between the two, so that a busy
/// disk affects both.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    // Use the build folder, since the system's temporary folder may be in memory, where durability
    // costs nothing.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let (store, _) = Store::open(&folder.path().join("store"), 0)?;
    begin(&store)?;
    let mut bare = File::options()
        .create(true)
        .append(true)
        .open(folder.path().join("bare"))?;
    let payload = payload();
    let (mut bares, mut appends) = (Vec::new(), Vec::new());
    let mut seq = 1;
    for _ in 0..ROUNDS {
        bares.push(timed(|| -> std::io::Result<()> {
            bare.write_all(payload.as_bytes())?;
            bare.sync_data()
        })?);
        appends.push(timed(|| -> Result<(), store::StoreError> {
            seq = store
                .journal()
                .append("figures", seq, &[("outcome", &payload)], 0)?;
            Ok(())
        })?);
    }
    let what = format!(
        "P9 journal append, {} bytes / plain fdatasync",
        payload.len()
    );
    Ok(vec![Figure::ratio(
        what,
        middle(appends),
        middle(bares),
        2.0,
    )])
}

fn timed<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

/// Creates the revision and the run to which the entries belong.
fn begin(store: &Store) -> Result<(), store::StoreError> {
    store.revisions().record(&NewRevision {
        plan: PLAN,
        hash: REVISION,
        parent: None,
        author: Author::Person,
        reason: "figures",
        at_ms: 0,
        content: CONTENT,
    })?;
    store.runs().create(&NewRun {
        id: "figures",
        plan: PLAN,
        workspace: ".",
        revision: REVISION,
        policy: "all",
        state: "running",
        title: "Figures",
        at_ms: 0,
    })
}

/// The content of an appended entry, as long as the outcome of a small command.
fn payload() -> String {
    format!(
        "{{\"task\":\"T1\",\"exit\":0,\"tail\":\"{}\"}}",
        "ok ".repeat(90)
    )
}
