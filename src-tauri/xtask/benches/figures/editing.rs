//! P2: the time of one edit in plans of 10,000 and of 200 tasks, until the new outline page and the
//! badge are available. Makes the window's calls without a window, and also measures a plain write
//! of the same file for comparison.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use desktop::Desktop;
use desktop::wire::{Edit, EditOutcome};
use workbench::Environment;

use crate::reading::plan_text;
use crate::{Figure, median, middle};

const EDITS: usize = 15;

/// Measures an edit in both plans, and the plain write.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let large = edit(folder.path(), "large", 10_000)?;
    let small = edit(folder.path(), "small", 200)?;
    let text = plan_text(10_000);
    let file = folder.path().join("bare");
    let bare = median(EDITS, || write(&file, &text));
    Ok(vec![
        Figure::time(
            "P2 edit one task of 10,000 → page + badge",
            large,
            Duration::from_millis(40),
        ),
        // This row has no budget; it only shows how much of the time is spent on the disk.
        Figure {
            what: "P2 … plain write of the same file".to_owned(),
            measured: crate::shown(bare),
            budget: "baseline".to_owned(),
            within: true,
        },
        Figure::time(
            "P2 edit one task of 200 → page + badge",
            small,
            Duration::from_millis(5),
        ),
    ])
}

/// The median time to edit a title, including the outline and a page of rows.
fn edit(folder: &Path, name: &str, tasks: usize) -> Result<Duration, Box<dyn Error>> {
    let workspace = folder.join(name);
    std::fs::create_dir_all(workspace.join("plans"))?;
    let file = workspace.join("plans/p.md");
    std::fs::write(&file, plan_text(tasks))?;
    let environment = Environment {
        variables: vec![(
            "PLANWRIGHT_HOME".to_owned(),
            folder.join(format!("{name}-home")).into(),
        )],
        cwd: folder.to_owned(),
        program: std::env::current_exe()?,
    };
    let desktop = Desktop::open(environment, Box::new(|_| ()))?;
    desktop.open_workspace(&workspace.display().to_string())?;
    let plan = file.display().to_string();
    let mut revision = desktop.outline(&plan, None)?.revision;
    let mut times = Vec::new();
    for round in 0..=EDITS {
        let task = format!("T{}", tasks / 2 + round);
        let began = Instant::now();
        let title = Edit::Title {
            task: task.clone(),
            text: format!("Move report {round} again"),
        };
        let EditOutcome::Written { revision: now, .. } = desktop.edit(&plan, &revision, title)?
        else {
            return Err("an edit was not saved".into());
        };
        let outline = desktop.outline(&plan, None)?;
        let at = desktop.row_index(&plan, &now, &task)?.unwrap_or_default();
        let rows = desktop.rows(&plan, &now, at / 100 * 100, 100)?;
        let took = began.elapsed();
        if outline.revision != now || rows.rows.is_empty() {
            return Err("the outline doesn't match the edit".into());
        }
        // The first round is a warm-up.
        if round > 0 {
            times.push(took);
        }
        revision = now;
    }
    desktop.close()?;
    Ok(middle(times))
}

/// Replaces a file durably: the new one is on disk when this returns.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let new = file.with_extension("new");
    let mut out = std::fs::File::create(&new)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    std::fs::rename(&new, file)
}
