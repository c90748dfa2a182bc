//! `kb-balanced`: which files are offered for a goal, from an index that keeps up with the folder.

use std::path::Path;

use planwright_tests::Home;
use planwright_tests::repository::{GOALS, fill, quality};
use tempfile::TempDir;
use workbench::{Environment, FoundFiles, Workbench};

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
        let mut environment = Environment::of_process().unwrap();
        environment
            .variables
            .retain(|(name, _)| name != "PLANWRIGHT_HOME");
        let home = self.home.path().as_os_str().to_owned();
        environment
            .variables
            .push(("PLANWRIGHT_HOME".to_owned(), home));
        Workbench::open(environment).unwrap().0
    }
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
