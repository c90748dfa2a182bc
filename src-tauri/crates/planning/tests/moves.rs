//! Moving a file puts its content in the new place and updates every path to it; references that
//! rules can't resolve are left to a person. Nothing is overwritten.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

#[path = "support/carried_out.rs"]
mod carried_out;
mod support;

use carried_out::{carried_out, is_open};
use support::draft;

const FILES: &[(&str, &str)] = &[
    (
        "README.md",
        "# Bell\n\nSee [the guide](docs/guide.md) and `docs/guide.md`, or ./docs/guide.md.\n",
    ),
    ("docs/guide.md", "# Guide\n\nRing it.\n"),
    (
        "docs/more.md",
        "Back to [the guide](guide.md) or [here](./guide.md#top).\n",
    ),
    ("docs/deep/far.md", "Up to [the guide](../guide.md).\n"),
    ("site.yml", "pages:\n  - Guide: guide.md\n"),
    ("tox.ini", "[tox]\n"),
    ("old.yml", "run: old\n"),
    (
        "src/bell.py",
        "from .tone import toll\n\n\ndef ring():\n    return toll()\n",
    ),
    ("src/tone.py", "def toll():\n    return 1\n"),
    ("run.sh", "#!/bin/sh\necho ring\n"),
];

fn without(path: &str) -> Vec<(&'static str, &'static str)> {
    FILES
        .iter()
        .copied()
        .filter(|(known, _)| *known != path)
        .collect()
}

#[test]
fn every_written_path_leads_to_the_new_place() {
    let files = without("site.yml");
    for (goal, to) in [
        ("Rename docs/guide.md to docs/home.md", "docs/home.md"),
        (
            "Move docs/guide.md to docs/deep/guide.md",
            "docs/deep/guide.md",
        ),
        ("git mv docs/guide.md GUIDE.md", "GUIDE.md"),
        ("move docs/guide.md into docs/deep/", "docs/deep/guide.md"),
    ] {
        let text = draft(&files, goal).text;
        let (plan, problems) = plan::parse(&text);
        assert!(problems.is_empty() && !is_open(&plan), "{goal}\n{text}");
        let after = carried_out(&files, &plan);
        assert_eq!(
            after.get(to).map(String::as_str),
            Some("# Guide\n\nRing it.\n"),
            "{text}"
        );
        assert!(!after.contains_key("docs/guide.md"), "{text}");
        // Every link in every document points to an existing file.
        for (path, text) in &after {
            for link in text
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split([')', '#']).next())
            {
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let mut parts: Vec<&str> =
                    folder.split('/').filter(|part| !part.is_empty()).collect();
                for part in link.split('/') {
                    match part {
                        "." => {}
                        ".." => drop(parts.pop()),
                        part => parts.push(part),
                    }
                }
                assert!(
                    after.contains_key(&parts.join("/")),
                    "{goal}: {path} {link}\n{after:?}"
                );
            }
        }
        assert!(!after["README.md"].contains("docs/guide.md"), "{after:?}");
    }
}

#[test]
fn ambiguous_references_are_left_to_a_person() {
    for (goal, file) in [
        ("Rename docs/guide.md to docs/home.md", "site.yml"),
        ("Rename src/tone.py to src/sound.py", "src/bell.py"),
        ("Move src/bell.py to src/deep/bell.py", "src/deep/bell.py"),
    ] {
        let text = draft(FILES, goal).text;
        let (plan, _) = plan::parse(&text);
        let mut tasks = plan.tasks.iter();
        let open = tasks
            .find(|task| task.by == plan::By::Person)
            .expect("an open step");
        assert_eq!(open.files, [file], "{goal}\n{text}");
        carried_out(FILES, &plan);
    }
}

#[test]
fn several_files_go_into_one_folder() {
    let text = draft(FILES, "move tox.ini and old.yml to config/").text;
    let (plan, _) = plan::parse(&text);
    assert!(!is_open(&plan), "{text}");
    let after = carried_out(FILES, &plan);
    assert!(
        after.contains_key("config/tox.ini") && after.contains_key("config/old.yml"),
        "{text}"
    );
}

#[test]
fn a_move_and_another_part_are_both_done() {
    let text = draft(FILES, "move tox.ini to config/tox.ini and delete old.yml").text;
    let (plan, _) = plan::parse(&text);
    assert!(!is_open(&plan), "{text}");
    let after = carried_out(FILES, &plan);
    assert!(
        after.contains_key("config/tox.ini") && !after.contains_key("old.yml"),
        "{text}"
    );
}

#[test]
fn files_that_cannot_be_moved_are_reported() {
    for goal in [
        "Move tox.ini to old.yml",
        "Rename tox.ini to Tox.ini",
        "Rename tox.ini to OLD.yml",
        "Move gone.ini to tox2.ini",
        "Move tox.ini and old.yml to new.ini",
        "Move docs/ to pages/",
        "Move run.sh to bin/run.sh",
    ] {
        let text = draft(FILES, goal).text;
        let (plan, _) = plan::parse(&text);
        assert!(
            is_open(&plan) && text.contains("assume: "),
            "{goal}\n{text}"
        );
        assert_eq!(
            carried_out(FILES, &plan).len(),
            FILES.len(),
            "{goal}\n{text}"
        );
    }
    for goal in ["Move tox.ini to ../tox.ini", "Move tox.ini to /etc/tox.ini"] {
        let text = draft(FILES, goal).text;
        let (plan, _) = plan::parse(&text);
        assert!(is_open(&plan), "{goal}\n{text}");
        assert_eq!(
            carried_out(FILES, &plan).len(),
            FILES.len(),
            "{goal}\n{text}"
        );
    }
}

#[test]
fn updating_references_is_part_of_a_move() {
    for more in [
        " and update the imports",
        ", and fix all links to it",
        " and update all references accordingly",
        ". Update the references.",
    ] {
        let plan = draft(
            FILES,
            &format!("Rename docs/guide.md to docs/manual.md{more}"),
        )
        .text;
        assert!(
            !plan.contains("Clarify what")
                && !plan.contains("** Update")
                && !plan.contains("** Fix"),
            "{more}: {plan}"
        );
        assert!(
            plan.contains("docs/manual.md") && plan.contains("call: `delete_file"),
            "{more}: {plan}"
        );
    }
}

#[test]
fn several_moves_are_done_together() {
    let plan = draft(
        FILES,
        "Move src/bell.py to src/ring.py and docs/more.md to docs/extra.md",
    )
    .text;
    for path in ["src/ring.py", "docs/extra.md"] {
        assert!(
            plan.contains(&format!("write_file {{\"path\":\"{path}\"")),
            "{plan}"
        );
    }
}
