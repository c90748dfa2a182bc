//! `cargo xtask tables`: regenerates the table of rare words that adequacy uses to weigh the words
//! of a step.
//!
//! Its sources are pinned: one version of the `wordfreq` lists, by hash, and the descriptions of
//! the packages in the lock files. The same lock files give the same table, byte for byte. Sources
//! and licenses are listed beside the table, in `data/README.md`.

use std::path::{Path, PathBuf};

use crate::process::{Failure, cargo, output, program, run as start};

/// The word frequency lists, as a `pip` requirement.
const LISTS: &str = "wordfreq==3.1.1 \
    --hash=sha256:4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473\n";
const WHEEL: &str = "wordfreq-3.1.1-py3-none-any.whl";

/// Downloads the sources, counts the words and writes the table.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let folder = root.join("target/tables");
    let unwritable = |error| Failure::one(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let sources = folder.join("sources.txt");
    std::fs::write(&sources, LISTS).map_err(unwritable)?;
    let mut fetch = program(root, "python3");
    fetch.args([
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--require-hashes",
    ]);
    start(
        fetch
            .arg("--dest")
            .arg(&folder)
            .arg("--requirement")
            .arg(&sources),
    )?;
    let mut unpack = program(root, "python3");
    unpack.args(["-m", "zipfile", "-e"]);
    start(unpack.arg(folder.join(WHEEL)).arg(&folder))?;

    let mut prose = packages(root)?;
    prose.extend(said_in(&root.join("ui/node_modules"), 2));
    prose.sort();
    let paths: Vec<String> = prose
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let list = folder.join("prose.txt");
    std::fs::write(&list, paths.join("\n")).map_err(unwritable)?;
    let mut count = cargo(root);
    count.args([
        "run",
        "--locked",
        "--release",
        "--package=planwright-adequacy",
        "--example=tables",
        "--",
    ]);
    count.arg(folder.join("wordfreq/data")).arg(&list);
    start(count.arg(root.join("src-tauri/crates/adequacy/data/words.bin")))
}

/// The readmes and changelogs of the Rust packages in the lock file.
fn packages(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut metadata = cargo(root);
    metadata.args(["metadata", "--locked", "--format-version=1"]);
    let metadata: serde_json::Value = serde_json::from_str(&output(&mut metadata)?)
        .map_err(|error| Failure::one(format!("invalid JSON from cargo metadata: {error}")))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    Ok(packages
        .iter()
        .filter(|package| !package["source"].is_null())
        .filter_map(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .flat_map(|folder| said_in(folder, 0))
        .collect())
}

/// The readmes and changelogs of a package, down to this folder depth.
fn said_in(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if path.is_dir() && depth > 0 {
            found.extend(said_in(&path, depth - 1));
        } else if path.is_file() && (name.starts_with("readme") || name.starts_with("changelog")) {
            found.push(path);
        }
    }
    found
}
