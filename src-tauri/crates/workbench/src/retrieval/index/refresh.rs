//! Updates an index: reads new and changed files in parallel, and removes deleted ones.
//!
//! Keeps the workspace's file stamps and a limited batch of words in memory, never all texts. If
//! stopped, it keeps what is done, and the next update continues from there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use planning::indexing;
use store::{IndexedFile, NewSymbol, StoreError, WorkspaceIndex};
use tools::survey::{Stamp, Survey, stamps_of, stamps_with_progress, text_to_search};
use tools::{ToolError, Workspace};

/// Maximum number of files written in one transaction.
const MAX_IN_BATCH: usize = 2_000;
/// The size of words, in bytes, at which a transaction is written.
const MAX_WORDS: usize = 8 << 20;
/// The capacity of the queue of files to be written.
const QUEUE_LEN: usize = 32;
/// Up to this many files are read on the current thread.
const MAX_ON_THIS_THREAD: usize = 4;
/// From this many new files on, the index is optimized afterward.
const MIN_TO_OPTIMIZE: usize = 2_000;

/// The result of an update.
#[derive(Debug, Default)]
pub(super) struct Refreshed {
    pub(super) files_read: usize,
    pub(super) bytes_read: u64,
    pub(super) files_gone: usize,
    pub(super) is_stopped: bool,
    pub(super) is_partial: bool,
    /// Why the folder couldn't be read, as a sentence.
    pub(super) problem: Option<String>,
}

/// Updates the index of a workspace.
pub(super) fn refresh(
    index: &WorkspaceIndex,
    workspace: &Workspace,
    plan_folder: &str,
    survey: &Survey,
) -> Result<Refreshed, StoreError> {
    let stamps = match stamps_with_progress(workspace, plan_folder, survey) {
        Ok(stamps) => stamps,
        Err(error) => return Ok(failed(&error)),
    };
    let mut stale: Vec<&Stamp> = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    let mut here = stamps.files.iter().peekable();
    index.stamps(|path, size, mtime_ns| {
        while let Some(new) = here.next_if(|stamp| *stamp.path < *path) {
            stale.push(new);
        }
        match here.next_if(|stamp| stamp.path == path) {
            Some(same) if (same.size, same.mtime_ns) != (size, mtime_ns) => stale.push(same),
            Some(_) => {}
            None => gone.push(path.to_owned()),
        }
    })?;
    stale.extend(here);
    let mut done = index_files(index, workspace, &stale, &gone, survey)?;
    done.is_partial = stamps.is_partial;
    if stale.len() >= MIN_TO_OPTIMIZE && !done.is_stopped {
        index.settle()?;
    }
    Ok(done)
}

/// Updates the index for these paths only.
pub(super) fn update(
    index: &WorkspaceIndex,
    workspace: &Workspace,
    plan_folder: &str,
    paths: &[String],
) -> crate::error::Result<Refreshed> {
    let survey = Survey::default();
    let stamps = stamps_of(workspace, plan_folder, paths, &survey)?;
    let is_there = |path: &&String| stamps.files.iter().any(|stamp| stamp.path == **path);
    let gone: Vec<String> = paths
        .iter()
        .filter(|path| !is_there(path))
        .cloned()
        .collect();
    let stale: Vec<&Stamp> = stamps.files.iter().collect();
    Ok(index_files(index, workspace, &stale, &gone, &survey)?)
}

fn failed(error: &ToolError) -> Refreshed {
    let is_stopped = matches!(error, ToolError::Cancelled);
    Refreshed {
        is_stopped,
        problem: (!is_stopped).then(|| format!("The workspace couldn't be indexed: {error}.")),
        ..Refreshed::default()
    }
}

/// Removes deleted files, then reads and writes the stale ones.
fn index_files(
    index: &WorkspaceIndex,
    workspace: &Workspace,
    stale: &[&Stamp],
    gone: &[String],
    survey: &Survey,
) -> Result<Refreshed, StoreError> {
    let mut writing = Writing {
        index,
        batch: Vec::new(),
        words: 0,
        done: Refreshed {
            files_gone: gone.len(),
            ..Refreshed::default()
        },
    };
    if !gone.is_empty() {
        index.replace(&[], gone)?;
    }
    if stale.len() <= MAX_ON_THIS_THREAD {
        for stamp in stale {
            survey.count();
            writing.take(read(workspace, stamp))?;
        }
    } else {
        let threads = std::thread::available_parallelism()
            .map_or(2, usize::from)
            .min(8);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(QUEUE_LEN);
            for _ in 0..threads {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || {
                    while let Some(stamp) = stale.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // The receiver is gone if a write failed.
                        if survey.is_stopped() || send.send(read(workspace, stamp)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(send);
            for read in receive {
                survey.count();
                writing.take(read)?;
            }
            Ok::<_, StoreError>(())
        })?;
    }
    writing.flush()?;
    writing.done.is_stopped = survey.is_stopped();
    Ok(writing.done)
}

/// Files that were read but not written yet.
struct Writing<'a> {
    index: &'a WorkspaceIndex,
    batch: Vec<IndexedFile>,
    words: usize,
    done: Refreshed,
}

impl Writing<'_> {
    fn take(&mut self, (file, bytes): (IndexedFile, u64)) -> Result<(), StoreError> {
        self.words += file.text_words.len() + file.name_words.len();
        self.batch.push(file);
        self.done.files_read += 1;
        self.done.bytes_read += bytes;
        if self.batch.len() >= MAX_IN_BATCH || self.words >= MAX_WORDS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if !self.batch.is_empty() {
            self.index.replace(&self.batch, &[])?;
            self.batch.clear();
            self.words = 0;
        }
        Ok(())
    }
}

/// The index entry of a file, and how many bytes of it were read.
fn read(workspace: &Workspace, stamp: &Stamp) -> (IndexedFile, u64) {
    let text = text_to_search(workspace, &stamp.path);
    let bytes = text.as_ref().map_or(0, String::len);
    let mut entry = indexing::read(&stamp.path, text.as_deref());
    if text.is_none() && planning::text::is_document(&stamp.path) {
        // The document is a plan or has no readable text, so it shouldn't be found by its name.
        entry.path_words.clear();
    }
    let symbols = entry.symbols.into_iter().map(|symbol| NewSymbol {
        folded: indexing::folded(&symbol.name),
        name: symbol.name,
        line: symbol.line,
        shape: symbol.shape.as_str().to_owned(),
    });
    let links = entry.links.into_iter();
    let file = IndexedFile {
        path: stamp.path.clone(),
        size: stamp.size,
        mtime_ns: stamp.mtime_ns,
        path_words: entry.path_words,
        name_words: entry.name_words,
        text_words: entry.text_words,
        keys: indexing::keys(&stamp.path),
        symbols: symbols.collect(),
        links: links
            .map(|target| {
                let key = indexing::target_key(&target);
                (target, key)
            })
            .collect(),
    };
    (file, u64::try_from(bytes).unwrap_or(u64::MAX))
}
