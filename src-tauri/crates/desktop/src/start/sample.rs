//! The sample program: a small Python project with a plan, for trying things out.

use std::path::Path;

use include_dir::{Dir, include_dir};

use workbench::error::Result;

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/sample");

/// The sample's plan, relative to its folder.
pub(super) const PLAN: &str = "plans/add-json-flag.md";

/// The sample's `.gitignore` is stored under another name, so that Git doesn't apply it to
/// Planwright's own sources.
const KEPT_UNDER_ANOTHER_NAME: (&str, &str) = ("gitignore", ".gitignore");

/// Writes the sample unless the folder exists, since a person may have changed it.
pub(super) fn put(folder: &Path) -> Result<()> {
    if folder.exists() {
        return Ok(());
    }
    let failed = |error: std::io::Error| {
        err!(Workspace:
            "couldn't write the sample to {}: {error}. Free up space there, or open your own folder.",
            folder.display())
    };
    // Write to a temporary folder and rename it, so that a partial copy is never opened.
    let parent = folder.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(failed)?;
    let making = tempfile::Builder::new()
        .prefix(".sample-")
        .tempdir_in(parent)
        .map_err(failed)?;
    write(&SAMPLE, making.path()).map_err(failed)?;
    std::fs::rename(making.path(), folder).map_err(failed)?;
    // The folder has been moved, so it must not be deleted as temporary.
    let _ = making.keep();
    Ok(())
}

fn write(dir: &Dir<'_>, to: &Path) -> std::io::Result<()> {
    for folder in dir.dirs() {
        std::fs::create_dir_all(to.join(folder.path()))?;
        write(folder, to)?;
    }
    for file in dir.files() {
        let (kept, name) = KEPT_UNDER_ANOTHER_NAME;
        let path = match file.path() == Path::new(kept) {
            true => to.join(name),
            false => to.join(file.path()),
        };
        std::fs::write(path, file.contents())?;
    }
    Ok(())
}
