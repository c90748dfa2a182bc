//! Manifest changes: setting the project's own values, adding and removing libraries. They are
//! exact edits for simple formats and otherwise a step for a person; a library that code uses is
//! not removed.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

#[path = "support/carried_out.rs"]
mod carried_out;
mod support;

use carried_out::{carried_out, is_open};
use support::draft;

const NODE: &[(&str, &str)] = &[
    (
        "package.json",
        "{\n  \"name\": \"bell\",\n  \"version\": \"1.2.0\",\n  \"dependencies\": {\n    \"chime\": \"~1.0.0\",\n    \"knell\": \"2.0.0\",\n    \"ring\": \"^1.2.0\"\n  },\n  \"devDependencies\": {\n    \"tap\": \"1.0.0\"\n  },\n  \"scripts\": { \"test\": \"tap\" }\n}\n",
    ),
    ("lib/bell.js", "const ring = require('ring');\n\nring();\n"),
];

const RUST: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"bell\"\nversion = \"1.2.0\"\nedition = \"2018\"\n\n[dependencies]\nring-tone = \"0.4\"\ntoll = { version = \"1.0\", features = [\"peal\"] }\n\n[dependencies.knell]\nversion = \"3.0.1\"\n",
    ),
    (
        "src/lib.rs",
        "use ring_tone::ring;\n\npub fn bell() {\n    ring();\n}\n",
    ),
];

/// The manifest after running the plan for a goal, whether the plan leaves a step to a person, and
/// the plan's text.
fn after(files: &[(&str, &str)], goal: &str) -> (String, bool, String) {
    let text = draft(files, goal).text;
    let (plan, problems) = plan::parse(&text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let after = carried_out(files, &plan);
    (after[files[0].0].clone(), is_open(&plan), text)
}

#[test]
fn a_library_is_added_in_its_place() {
    for (goal, line) in [
        (
            "Add clap 1.5.0 as a dependency",
            "~1.0.0\",\n    \"clap\": \"1.5.0\",\n    \"knell\"",
        ),
        (
            "Add the dependency toll@2.1.0",
            "^1.2.0\",\n    \"toll\": \"2.1.0\"\n  }",
        ),
        (
            "Install dong 1.0.0 to the dev dependencies",
            "\"dong\": \"1.0.0\",\n    \"tap\"",
        ),
    ] {
        let (manifest, is_open, text) = after(NODE, goal);
        assert!(
            manifest.contains(line) && !is_open,
            "{goal}\n{manifest}\n{text}"
        );
        serde_json::from_str::<serde_json::Value>(&manifest).expect("whole JSON");
    }
    let (manifest, is_open, text) = after(RUST, "Add serde 1.0.200 as a dependency");
    assert!(
        manifest.contains("\"0.4\"\nserde = \"1.0.200\"\ntoll") && !is_open,
        "{manifest}\n{text}"
    );
}

#[test]
fn an_unused_library_is_removed() {
    for goal in [
        "Remove the dependency on chime",
        "drop knell from the dependencies",
    ] {
        let (manifest, is_open, text) = after(NODE, goal);
        assert!(!is_open, "{goal}\n{text}");
        let json: serde_json::Value = serde_json::from_str(&manifest).expect("whole JSON");
        assert_eq!(
            json["dependencies"].as_object().map(|all| all.len()),
            Some(2),
            "{manifest}"
        );
    }
    let last = [(
        "package.json",
        "{\n  \"dependencies\": {\n    \"chime\": \"1.0.0\",\n    \"ring\": \"1.0.0\"\n  }\n}\n",
    )];
    let (manifest, is_open, text) = after(&last, "Remove the ring dependency");
    assert!(!is_open, "{text}");
    serde_json::from_str::<serde_json::Value>(&manifest).expect("whole JSON");
    let (manifest, is_open, text) = after(RUST, "Remove the dependency on toll");
    assert!(
        !manifest.contains("toll") && manifest.contains("ring-tone") && !is_open,
        "{manifest}\n{text}"
    );
}

#[test]
fn a_used_library_is_kept() {
    for (files, goal) in [
        (NODE, "Remove the dependency on ring"),
        (NODE, "Remove the dev dependency tap"),
        (NODE, "Add ring 2.0.0 as a dependency"),
        (RUST, "Remove the dependency on ring-tone"),
        (RUST, "Remove the dependency on knell"),
        (RUST, "Remove the dependency on gong"),
    ] {
        let (manifest, is_open, text) = after(files, goal);
        assert!(manifest == files[0].1 && is_open, "{goal}\n{text}");
    }
}

#[test]
fn a_value_of_the_project_is_set_and_no_value_of_a_library() {
    let (manifest, is_open, text) = after(RUST, "set the edition to 2021 in Cargo.toml");
    assert!(
        manifest.contains("edition = \"2021\"") && !is_open,
        "{text}"
    );
    let (manifest, is_open, text) = after(RUST, "Bump the version to 2.0.0");
    assert!(
        manifest.contains("version = \"2.0.0\"") && manifest.contains("3.0.1") && !is_open,
        "{text}"
    );
    let (manifest, _, text) = after(RUST, "set toll to 2.0 in Cargo.toml");
    assert_eq!(manifest, RUST[0].1, "{text}");
}

#[test]
fn the_version_of_a_python_project_is_set_where_it_is_written_out() {
    let files = [
        (
            "bell/about.py",
            "__title__ = 'bell'\n__version__ = '1.2.0'\n",
        ),
        (
            "setup.py",
            "about = {}\nsetup(\n    version=about['__version__'],\n)\n",
        ),
    ];
    let (about, is_open, text) = after(&files, "Bump version to 2.0.0");
    assert!(
        about.contains("__version__ = '2.0.0'") && !is_open,
        "{text}"
    );
}

#[test]
fn only_a_breaking_release_asks_to_adapt_the_code() {
    for (version, is_breaking) in [("1.2.1", false), ("1.9.0", false), ("2.0.0", true)] {
        let (_, is_open, text) = after(NODE, &format!("Update ring to {version}"));
        assert_eq!(is_open, is_breaking, "{text}");
    }
    let (_, is_open, text) = after(RUST, "Update ring-tone to 0.5");
    assert!(is_open, "{text}");
}

#[test]
fn a_new_edition_says_which_compiler_it_needs() {
    for (rust, is_left) in [("1.31", true), ("1.70", false)] {
        let manifest =
            format!("[package]\nname = \"bell\"\nedition = \"2018\"\nrust-version = \"{rust}\"\n");
        let files = [("Cargo.toml", manifest.as_str())];
        let (after, is_open, text) = after(&files, "set the edition to 2021");
        assert!(
            after.contains("edition = \"2021\"") && is_open == is_left,
            "{text}"
        );
        assert_eq!(text.contains("needs 1.56"), is_left, "{text}");
    }
}
