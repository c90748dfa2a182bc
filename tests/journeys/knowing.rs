//! `kb-balanced`: the files selected for a goal, from an index that is kept up to date with the
//! folder and the runs in it.

use std::path::Path;

use planwright_tests::repository::{GOALS, fill, quality};
use planwright_tests::{Home, Project};
use tempfile::TempDir;
use workbench::{Environment, FoundFiles, Workbench};

use crate::documents::Bench;
use crate::{run, run_id};

struct Stage {
    home: Home,
    workspace: TempDir,
}

impl Stage {
    fn new() -> Self {
        Self {
            home: Home::new(),
            workspace: TempDir::new().unwrap(),
        }
    }

    fn root(&self) -> &Path {
        self.workspace.path()
    }

    fn bench(&self) -> Workbench {
        bench(&self.home)
    }
}

fn bench(home: &Home) -> Workbench {
    let mut environment = Environment::of_process().unwrap();
    environment
        .variables
        .retain(|(name, _)| name != "PLANWRIGHT_HOME");
    let home = home.path().as_os_str().to_owned();
    environment
        .variables
        .push(("PLANWRIGHT_HOME".to_owned(), home));
    Workbench::open(environment).unwrap().0
}

fn paths(found: &FoundFiles) -> Vec<String> {
    found.offered.iter().map(|one| one.path.clone()).collect()
}

#[test]
fn most_of_the_right_files_are_offered_and_few_others() {
    let stage = Stage::new();
    fill(stage.root(), 100).unwrap();
    let bench = stage.bench();
    let (mut recall, mut precision) = (0.0, 0.0);
    let mut told = String::new();
    for goal in &GOALS {
        let found = bench.find_files(stage.root(), goal.text).unwrap();
        let offered = paths(&found);
        let (held, right) = quality(goal, &offered);
        told.push_str(&format!(
            "{held:.2} {right:.2} {}\n  {:?}\n",
            goal.text, found.offered
        ));
        recall += held / 10.0;
        precision += right / 10.0;
        for one in &found.offered {
            assert!(!one.reason.is_empty() && one.score <= 1000, "{one:?}");
        }
    }
    told.push_str(&format!("recall {recall:.2}, precision {precision:.2}"));
    assert!(recall >= 0.79 && precision >= 0.45, "{told}");
}

const PLAN: &str = "\
# Read the input

## Tasks
- [ ] **T1** Add the input
  - call: `write_file {\"path\": \"shop/input.py\", \"content\": \"from shop.rows import read_rows\\n\"}`
- [ ] **T2** Move the notes
  - call: `run_command {\"command\": \"mv shop/notes.py shop/kept.py\"}`
- [ ] **T3** Add a note and fail
  - depends: T2
  - call: `write_file {\"path\": \"shop/last.py\", \"content\": \"from shop.rows import read_rows\\n\"}`
  - call: `run_command {\"command\": \"false\"}`
";

#[test]
fn the_index_takes_in_what_steps_change_and_what_is_taken_back() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/input.md", PLAN)
        .file("shop/rows.py", "def read_rows(path):\n    pass\n")
        .file("shop/notes.py", "from shop.rows import read_rows\n");
    let root = project.path();
    let links = || bench(&home).links_of(root, "shop/rows.py").unwrap();
    bench(&home)
        .find_files(root, "Have read_rows wait")
        .unwrap();
    assert_eq!(links(), ["shop/notes.py"]);

    // Links are read from the current index, without scanning the folder.
    let id = run_id(&run(&home, &project, "plans/input.md", &[]));
    assert_eq!(links(), ["shop/input.py", "shop/kept.py", "shop/last.py"]);
    home.planwright(&project, ["undo", &id, "T1", "--json"])
        .expect(0);
    assert_eq!(links(), ["shop/kept.py", "shop/last.py"]);

    let looked = bench(&home).find_files(root, "Have read_rows wait");
    let report = looked.unwrap().report;
    assert_eq!((report.files_read, report.files_gone), (0, 0), "{report:?}");
}

#[test]
fn a_run_makes_no_index() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/input.md", PLAN)
        .file("shop/notes.py", "\n");
    run(&home, &project, "plans/input.md", &[]);
    assert!(project.at("shop/input.py").exists());
    assert!(!home.path().join("data/indexes").exists());
}

#[test]
fn a_workspace_that_is_forgotten_leaves_no_index() {
    let window = Bench::new();
    let files = || {
        let found = std::fs::read_dir(window.home.path().join("data/indexes"));
        found.unwrap().count()
    };
    let opened = |project: &Project| {
        let root = project.path().display().to_string();
        let path = window.desktop.open_workspace(&root).unwrap().path;
        bench(&window.home)
            .find_files(project.path(), "Fix it")
            .unwrap();
        path
    };
    let (stays, goes) = (Project::new(), Project::new());
    opened(&stays);
    let of_one = files();
    let path = opened(&goes);
    assert!(files() > of_one);
    // The folder is deleted before the workspace is forgotten.
    drop(goes);
    window.desktop.forget_workspace(&path).unwrap();
    assert_eq!(files(), of_one);
    window.desktop.forget_workspace(&path).unwrap();
}
