//! The walk: lists files and hands back the texts that hold a term.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use ignore::{DirEntry, WalkBuilder, WalkState};
use memchr::memmem::Finder;
use rustix::fs::OFlags;

use super::{LARGEST, MOST_FILES, Survey, SurveyRequest};

/// What a walk found.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) paths: BTreeSet<String>,
    /// The texts in which a term stands, by path, in order of path.
    pub(super) files: Vec<(String, String)>,
    /// How many files have names that are not Unicode.
    pub(super) unnamed: usize,
    /// Whether there were more files than are listed.
    pub(super) is_partial: bool,
}

/// Paths, and texts by path.
type Lists = (Vec<String>, Vec<(String, String)>);

/// What one thread gathers; added to the whole when the thread ends, so that threads do not wait
/// for each other at every file.
struct Gathered<'a> {
    paths: Vec<String>,
    files: Vec<(String, String)>,
    whole: &'a Mutex<Lists>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.0.append(&mut self.paths);
        whole.1.append(&mut self.files);
    }
}

pub(super) fn scan(dir: &Dir, root: &Path, request: &SurveyRequest, survey: &Survey) -> Scan {
    let finders: Vec<Finder<'_>> = request
        .terms
        .iter()
        .map(|term| Finder::new(term.as_bytes()))
        .collect();
    let whole = Mutex::new(Lists::default());
    let count = &survey.files;
    let unnamed = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism()
        .map_or(2, usize::from)
        .min(8);
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .follow_links(false)
        .threads(threads)
        .filter_entry(is_of_interest)
        .build_parallel();
    walk.run(|| {
        let mut gathered = Gathered {
            paths: Vec::new(),
            files: Vec::new(),
            whole: &whole,
        };
        let (finders, unnamed) = (&finders, &unnamed);
        Box::new(move |entry| {
            if survey.is_stopped() {
                return WalkState::Quit;
            }
            let Ok(entry) = entry else {
                return WalkState::Continue;
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                return WalkState::Continue;
            }
            let Ok(relative) = entry.path().strip_prefix(root) else {
                return WalkState::Continue;
            };
            let Some(path) = slashed(relative) else {
                unnamed.fetch_add(1, Ordering::Relaxed);
                return WalkState::Continue;
            };
            if is_about_plans(dir, &path, request) {
                return WalkState::Continue;
            }
            if count.fetch_add(1, Ordering::Relaxed) >= MOST_FILES {
                return WalkState::Quit;
            }
            if !finders.is_empty()
                && !is_binary_name(&path)
                && let Some(text) = text_of(dir, relative)
                && finders
                    .iter()
                    .any(|finder| finder.find(text.as_bytes()).is_some())
            {
                gathered.files.push((path.clone(), text));
            }
            gathered.paths.push(path);
            WalkState::Continue
        })
    });
    let (paths, mut files) = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort();
    Scan {
        paths: paths.into_iter().collect(),
        files,
        unnamed: unnamed.into_inner(),
        is_partial: count.load(Ordering::Relaxed) > MOST_FILES,
    }
}

/// A path with `/` between its parts.
fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// Folders that hold no work of the user's own, in case no ignore rule says so.
fn is_of_interest(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    if !is_folder || entry.depth() == 0 {
        return true;
    }
    let name = entry.file_name().to_str().unwrap_or_default();
    match name {
        ".git" | ".hg" | ".svn" | ".jj" | ".planwright" | "node_modules" | "__pycache__"
        | ".venv" | ".tox" | ".mypy_cache" | ".pytest_cache" | ".ruff_cache" | ".gradle"
        | ".idea" => false,
        "venv" | "env" => !entry.path().join("pyvenv.cfg").exists(),
        "target" => !entry.path().join("CACHEDIR.TAG").exists(),
        _ => true,
    }
}

/// Names of files that are never text; what they hold need not be read to know it.
fn is_binary_name(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension.to_ascii_lowercase().as_str(),
        "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "webp"
            | "ico"
            | "bmp"
            | "pdf"
            | "zip"
            | "gz"
            | "tgz"
            | "xz"
            | "zst"
            | "bz2"
            | "7z"
            | "tar"
            | "jar"
            | "class"
            | "pyc"
            | "so"
            | "dll"
            | "dylib"
            | "a"
            | "o"
            | "exe"
            | "bin"
            | "wasm"
            | "woff"
            | "woff2"
            | "ttf"
            | "otf"
            | "mp3"
            | "mp4"
            | "mov"
            | "wav"
            | "ogg"
            | "sqlite"
            | "db"
            | "rlib"
    )
}

/// Planwright's own plans speak of the code; they are not part of it, unless the goal names them.
/// Source code in a folder of that name is the user's own.
fn is_about_plans(dir: &Dir, path: &str, request: &SurveyRequest) -> bool {
    let folder = request.plan_folder.trim_end_matches('/');
    let inside = !folder.is_empty() && routing::means(folder, path);
    let is_one = inside && !routing::text::is_code(path)
        || is_markdown(path) && head_of(dir, path).is_some_and(|head| is_plan(&head));
    is_one
        && !request
            .named_paths
            .iter()
            .any(|named| routing::means(named, path))
}

fn is_markdown(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension.to_ascii_lowercase().as_str(),
        "md" | "markdown" | "mdx"
    )
}

/// Whether a text begins with the front matter of a plan.
fn is_plan(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    lines.next() == Some(b"---")
        && lines
            .take_while(|line| *line != b"---")
            .any(|line| line.starts_with(b"planwright:"))
}

/// How much of a file is read to see whether it is a plan.
const HEAD: u64 = 8 << 10;

fn head_of(dir: &Dir, path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    regular(dir, Path::new(path))?
        .0
        .take(HEAD)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Whether these paths list every file of a folder, ignored ones too. A folder that cannot be read
/// to its end counts as not listed.
pub(super) fn is_listed(dir: &Dir, folder: &str, paths: &BTreeSet<String>) -> bool {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = dir.read_dir(&folder) else {
            return false;
        };
        for entry in entries {
            let Ok(entry) = entry else { return false };
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                return false;
            };
            let path = format!("{folder}/{name}");
            if kind.is_dir() {
                open.push(path);
            } else if !paths.contains(&path) {
                return false;
            }
        }
    }
    true
}

/// A regular file opened for reading, and its length.
fn regular(dir: &Dir, path: &Path) -> Option<(cap_std::fs::File, u64)> {
    // A pipe that took the place of a file meanwhile is opened without waiting, then refused.
    let nonblock = OFlags::NONBLOCK.bits().cast_signed();
    let file = dir
        .open_with(path, OpenOptions::new().read(true).custom_flags(nonblock))
        .ok()?;
    let found = file.metadata().ok()?;
    found.is_file().then(|| (file, found.len()))
}

/// The text of a file; `None` when it is too large, binary, not UTF-8 or cannot be read.
pub(super) fn text_of(dir: &Dir, path: &Path) -> Option<String> {
    let (file, length) = regular(dir, path)?;
    if length > LARGEST {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()? + 1);
    // The file may grow while it is read.
    file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    if memchr::memchr(0, &bytes).is_some() {
        return None;
    }
    String::from_utf8(bytes).ok()
}
