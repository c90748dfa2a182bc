//! The index reflects its folder, never makes planning fail, and reads no unchanged file again.

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
    let intake = planning::detect(GOAL, &WorkspaceFacts::default());
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
        // Not typos: the first name occurs in a file, and so does the differing word of the second.
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

/// Commits everything in the folder, which becomes a repository if it isn't one.
fn commit(site: &Site, subject: &str) {
    let root = site.folder.path();
    for words in [
        &["init", "-q"][..],
        &["add", "."],
        &["commit", "-q", "--allow-empty", "-m", subject],
    ] {
        let done = std::process::Command::new("git")
            .current_dir(root)
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(words)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    }
}

#[test]
fn earlier_commits_lead_to_files_that_do_not_hold_the_words() {
    let site = Site::new();
    for at in 0..30 {
        site.write(&format!("shop/other_{at}.py"), "def nothing():\n    pass\n");
    }
    commit(&site, "Begin");
    let goal = "Reject parcels heavier than allowed";
    let all = |goal: &str| {
        let found = site.bench.find_files(site.folder.path(), goal).unwrap();
        let list = found.offered.into_iter().chain(found.likely);
        list.map(|one| one.path).collect::<Vec<String>>()
    };
    assert_eq!(all(goal), [""; 0]);
    site.write("shop/limits.py", "MAX = 31\n");
    commit(&site, "Reject heavier parcels (#7)");
    assert_eq!(all(goal), ["shop/limits.py"]);
    // Other branches aren't read, and deleted files aren't suggested.
    fs::remove_file(site.folder.path().join("shop/limits.py")).unwrap();
    assert_eq!(all(goal), [""; 0]);
}

#[test]
fn what_a_tool_wrote_and_copies_in_other_languages_are_never_offered() {
    let site = Site::new();
    let words = "blank lines of read_rows are skipped\n";
    site.write("shop.lock", words);
    site.write("rows.min.js", words);
    site.write(
        "gen/rows_pb.py",
        &format!("# Generated by protoc. DO NOT EDIT!\n{words}"),
    );
    site.write("docs/en/rows.md", words);
    site.write("docs/de/rows.md", words);
    fs::write(site.folder.path().join("rows.png"), [0, 159, 146, 150]).unwrap();
    let found = site.bench.find_files(site.folder.path(), GOAL).unwrap();
    let all: Vec<String> = found
        .offered
        .into_iter()
        .chain(found.likely)
        .map(|one| one.path)
        .collect();
    assert_eq!(all[0], "shop/rows.py");
    assert!(all.contains(&"docs/en/rows.md".to_owned()), "{all:?}");
    for never in [
        "shop.lock",
        "rows.min.js",
        "gen/rows_pb.py",
        "docs/de/rows.md",
        "rows.png",
    ] {
        assert!(!all.contains(&never.to_owned()), "{never} {all:?}");
    }
}

#[test]
fn a_tracebacks_files_come_first_and_manifests_for_a_version() {
    let site = Site::new();
    site.write(
        "Cargo.toml",
        "[package]\nname = \"shop\"\nedition = \"2021\"\n[dependencies]\nserde = \"1.0.1\"\n",
    );
    site.write(
        "src/serde_rows.rs",
        "use serde::Serialize;\nfn serde() {}\n",
    );
    let trace =
        "Fix the crash: Traceback: File \"/srv/app/shop/report.py\", line 4, in print_report";
    assert_eq!(site.find(trace).0[0], "shop/report.py");
    assert_eq!(
        site.find("at print (report.py:4) rows are None").0[0],
        "shop/report.py"
    );
    assert_eq!(site.find("Upgrade serde to 1.0.200").0[0], "Cargo.toml");
}
