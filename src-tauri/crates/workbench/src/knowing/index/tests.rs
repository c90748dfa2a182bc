//! An index that keeps up with its folder, costs a plan nothing when it fails, and never reads twice.

use std::fs;

use adequacy::WorkspaceFacts;
use tempfile::TempDir;

use super::*;
use crate::Environment;

struct Site {
    folder: TempDir,
    _home: TempDir,
    bench: Workbench,
}

impl Site {
    fn new() -> Self {
        let (folder, home) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let environment = Environment {
            variables: vec![("PLANWRIGHT_HOME".to_owned(), home.path().into())],
            cwd: folder.path().to_owned(),
            program: "/nonexistent".into(),
        };
        let (bench, _) = Workbench::open(environment).unwrap();
        let site = Self {
            folder,
            _home: home,
            bench,
        };
        site.write(
            "shop/rows.py",
            "def read_rows(path):\n    return open(path)\n",
        );
        site.write(
            "shop/report.py",
            "from shop.rows import read_rows\n\n\ndef print_report(rows):\n    pass\n",
        );
        site.write("tests/test_rows.py", "from shop.rows import read_rows\n");
        site.write("notes.md", "Reports are sent by mail.\n");
        site
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn find(&self, goal: &str) -> (Vec<String>, IndexReport) {
        let found = self.bench.find_files(self.folder.path(), goal).unwrap();
        let paths = found.offered.into_iter().map(|one| one.path).collect();
        (paths, found.report)
    }

    fn file(&self) -> PathBuf {
        let workspace = Workspace::open(self.folder.path()).unwrap();
        self.bench.index_file(workspace.path())
    }
}

const GOAL: &str = "Have read_rows skip blank lines";

#[test]
fn files_are_read_once_and_again_when_they_change() {
    let site = Site::new();
    let (paths, report) = site.find(GOAL);
    assert_eq!(paths[0], "shop/rows.py");
    assert!(
        paths.contains(&"tests/test_rows.py".to_owned()),
        "{paths:?}"
    );
    assert_eq!((report.files_known, report.files_read), (4, 4));
    assert!(
        report.bytes_read > 100 && report.cut.is_none(),
        "{report:?}"
    );
    assert_eq!(site.find(GOAL).1.files_read, 0);

    site.write("shop/rows.py", "def nothing():\n    pass\n");
    site.write(
        "shop/input.py",
        "def read_rows(path):\n    # blank lines are kept\n    pass\n",
    );
    fs::remove_file(site.folder.path().join("notes.md")).unwrap();
    let (paths, report) = site.find(GOAL);
    assert_eq!(paths[0], "shop/input.py");
    assert_eq!(
        (report.files_read, report.files_gone, report.files_known),
        (2, 1, 4)
    );
}

#[test]
fn what_is_known_to_have_changed_is_read_alone() {
    let site = Site::new();
    let changed = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        site.bench
            .files_changed(site.folder.path(), &paths)
            .unwrap()
    };
    site.write("shop/input.py", "def parse_input():\n    pass\n");
    assert_eq!(
        changed(&["shop/input.py"]),
        0,
        "no index, nothing to keep up"
    );
    assert!(!site.file().exists());
    site.find(GOAL);
    site.write(
        "shop/input.py",
        "def parse_blank_input():\n    return None\n",
    );
    fs::remove_file(site.folder.path().join("notes.md")).unwrap();
    assert_eq!(changed(&["shop/input.py", "notes.md", "never/was.py"]), 1);
    let (paths, report) = site.find("Have parse_blank_input do nothing");
    assert_eq!(
        (paths[0].as_str(), report.files_read, report.files_gone),
        ("shop/input.py", 0, 0)
    );
}

#[test]
fn a_damaged_index_is_made_anew_and_one_in_use_is_read() {
    let site = Site::new();
    site.find(GOAL);
    fs::write(site.file(), "spoilt").unwrap();
    let (paths, report) = site.find(GOAL);
    assert_eq!((paths[0].as_str(), report.files_read), ("shop/rows.py", 4));

    let other = WorkspaceIndex::write(&site.file()).unwrap().unwrap();
    site.write("shop/new.py", "def fresh():\n    pass\n");
    let (paths, report) = site.find(GOAL);
    assert_eq!((paths[0].as_str(), report.files_read), ("shop/rows.py", 0));
    assert!(
        report
            .cut
            .is_some_and(|why| why.contains("Another Planwright"))
    );
    drop(other);
    assert_eq!(site.find(GOAL).1.files_read, 1);
}

#[test]
fn the_context_gets_files_and_their_texts_and_a_stopped_search_says_so() {
    let site = Site::new();
    let workspace = Workspace::open(site.folder.path()).unwrap();
    let intake = routing::detect(GOAL, &WorkspaceFacts::default());
    let mut context = Context::default();
    let under_way = Survey::default();
    let report = site
        .bench
        .offer(&workspace, "plans", &intake, &mut context, &under_way);
    assert!(report.is_sufficient && report.cut.is_none(), "{report:?}");
    assert!(context.texts["shop/rows.py"].starts_with("def read_rows"));
    assert!(under_way.files() >= 8, "looked at, then read");

    under_way.stop();
    let mut context = Context::default();
    let report = site
        .bench
        .offer(&workspace, "plans", &intake, &mut context, &under_way);
    assert!(report.cut.is_some_and(|why| why.contains("stopped")));
    assert_eq!(
        context.offered[0].path, "shop/rows.py",
        "what is known is searched"
    );
}

#[test]
fn links_lead_both_ways() {
    let site = Site::new();
    let links = |path: &str| site.bench.links_of(site.folder.path(), path).unwrap();
    assert_eq!(links("shop/rows.py"), [""; 0], "no index is made for it");
    site.find(GOAL);
    assert_eq!(
        links("shop/rows.py"),
        ["shop/report.py", "tests/test_rows.py"]
    );
    assert_eq!(links("shop/report.py"), ["shop/rows.py"]);
}

#[test]
fn plans_are_not_offered() {
    let site = Site::new();
    site.write("plans/rows.md", "# Read rows\n");
    site.write(
        "docs/read-rows.md",
        "---\nplanwright: 1\n---\n# Read rows\n",
    );
    let (paths, _) = site.find(GOAL);
    assert!(!paths.iter().any(|path| path.ends_with(".md")), "{paths:?}");
}

#[test]
fn a_plan_that_names_code_by_a_slip_is_told_from_an_index_that_is_there() {
    let site = Site::new();
    let workspace = Workspace::open(site.folder.path()).unwrap();
    let told = |titles: &[&str]| -> Vec<String> {
        let steps: String = titles
            .iter()
            .map(|title| format!("- [ ] {title}\n"))
            .collect();
        let (plan, problems) = plan::parse(&format!("# Shop\n\n{steps}"));
        let around = std::sync::Arc::default();
        let facts = site.bench.facts_of_plan(&workspace, &around, "shop", &plan);
        let report = crate::checking::report(&plan, &problems, &facts);
        let of_code = report
            .findings
            .into_iter()
            .filter(|one| one.code == adequacy::Code::SymbolMissing);
        of_code.map(|one| one.message).collect()
    };
    const SLIP: &str = "Change `read_rwos` so that blank lines are skipped";
    assert!(told(&[SLIP]).is_empty(), "no index");
    assert!(!site.file().exists(), "and none is made");
    site.write("notes.md", "The file holds rots and calls print_repart.\n");
    site.find(GOAL);
    let messages = told(&[SLIP]);
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].contains("did you mean `read_rows`"),
        "{messages:?}"
    );
    let others = [
        "Change `read_rows` so that blank lines are skipped",
        // Both are written somewhere: the whole name, and the word that differs.
        "Change `print_repart` so that blank lines are skipped",
        "Change `read_rots` so that blank lines are skipped",
        "Add `read_rwos` beside the others",
        "Change `shop/read_rwos.py` so that blank lines are skipped",
    ];
    for title in others {
        assert_eq!(told(&[title]), [""; 0], "{title}");
    }
    assert_eq!(told(&[SLIP, others[2], others[0]]).len(), 1);
}
