//! Rules on which folders a walk enters and which files it reads. All walks for planning share
//! them.

use std::io::Read;
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use ignore::{DirEntry, WalkBuilder};
use rustix::fs::OFlags;

use super::{LARGEST, SurveyRequest};

/// A walk of a workspace that respects ignore rules, doesn't follow links and skips folders of
/// tools.
pub(super) fn walker(root: &Path) -> WalkBuilder {
    let threads = std::thread::available_parallelism()
        .map_or(2, usize::from)
        .min(8);
    let mut walk = WalkBuilder::new(root);
    walk.hidden(false)
        .require_git(false)
        .follow_links(false)
        .threads(threads)
        .filter_entry(is_of_interest);
    walk
}

/// A path with `/` as separator.
pub(super) fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

/// Whether an entry may contain the user's own work, even without ignore rules.
pub(super) fn is_of_interest(entry: &DirEntry) -> bool {
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

/// Whether a file is binary, judged by its name alone.
pub(super) fn is_binary_name(path: &str) -> bool {
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

/// Whether to leave out a file because it is a plan. Plans describe the code but are not part of
/// it. Plans that the goal names, and source code in the plan folder, are not left out.
pub(super) fn is_about_plans(dir: &Dir, path: &str, request: &SurveyRequest) -> bool {
    let is_one = is_kept_as_plan(&request.plan_folder, path)
        || is_markdown(path) && head_of(dir, path).is_some_and(|head| is_plan(&head));
    is_one
        && !request
            .named_paths
            .iter()
            .any(|named| planning::means(named, path))
}

/// Whether a file is in the plan folder and is not source code.
pub(super) fn is_kept_as_plan(plan_folder: &str, path: &str) -> bool {
    let folder = plan_folder.trim_end_matches('/');
    !folder.is_empty() && planning::means(folder, path) && !planning::text::is_code(path)
}

pub(super) fn is_markdown(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension.to_ascii_lowercase().as_str(),
        "md" | "markdown" | "mdx"
    )
}

/// Whether a text starts with a plan's front matter.
pub(super) fn is_plan(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    lines.next() == Some(b"---")
        && lines
            .take_while(|line| *line != b"---")
            .any(|line| line.starts_with(b"planwright:"))
}

/// How much of a file is read to check whether it is a plan.
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

/// Opens a regular file for reading; returns it with its length.
fn regular(dir: &Dir, path: &Path) -> Option<(cap_std::fs::File, u64)> {
    // `NONBLOCK`, in case a pipe replaced the file; it is then refused.
    let nonblock = OFlags::NONBLOCK.bits().cast_signed();
    let file = dir
        .open_with(path, OpenOptions::new().read(true).custom_flags(nonblock))
        .ok()?;
    let found = file.metadata().ok()?;
    found.is_file().then(|| (file, found.len()))
}

/// The text of a file; `None` if it is too large, binary, not UTF-8 or unreadable.
pub(super) fn text_of(dir: &Dir, path: &Path) -> Option<String> {
    let (file, length) = regular(dir, path)?;
    if length > LARGEST {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).ok()? + 1);
    // The file may grow while it is being read.
    file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    if memchr::memchr(0, &bytes).is_some() {
        return None;
    }
    String::from_utf8(bytes).ok()
}
