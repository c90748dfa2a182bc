//! Renaming a command-line option changes it wherever it is written out. Longer options stay
//! unchanged, and identifiers derived from it are left to a person.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

#[path = "support/carried_out.rs"]
mod carried_out;
mod support;

use carried_out::{carried_out, is_open};
use support::draft;

const GOAL: &str = "Rename the CLI option --tone to --tone-name";

const FILES: &[(&str, &str)] = &[
    (
        "bell/cli.py",
        "\"\"\"Usage: bell [--tone NAME] [--tone-height N]\"\"\"\nimport getopt\n\n\ndef main(argv):\n    opts, _ = getopt.getopt(argv, \"t:\", [\"tone=\", \"tone-height=\"])\n    for opt, value in opts:\n        if opt in [\"-t\", \"--tone\"]:\n            print(value)\n",
    ),
    (
        "README.md",
        "Run `bell --tone a` or `bell --tone=a --tone-height 3`.\n",
    ),
    (
        "tests/test_cli.py",
        "from bell.cli import main\n\n\ndef test_tone():\n    main([\"--tone\", \"a\"])\n",
    ),
    ("CHANGES.md", "- 1.0: `--tone` is new\n"),
];

#[test]
fn an_option_is_renamed_as_a_whole() {
    for goal in [
        GOAL,
        "rename `--tone` to `--tone-name`",
        "Benenne --tone in --tone-name um",
    ] {
        let text = draft(FILES, goal).text;
        let (plan, problems) = plan::parse(&text);
        assert!(problems.is_empty() && !is_open(&plan), "{goal}\n{text}");
        let after = carried_out(FILES, &plan);
        let cli = &after["bell/cli.py"];
        assert!(
            cli.contains("[--tone-name NAME] [--tone-height N]"),
            "{cli}"
        );
        assert!(cli.contains("[\"tone-name=\", \"tone-height=\"]"), "{cli}");
        assert!(cli.contains("[\"-t\", \"--tone-name\"]"), "{cli}");
        assert_eq!(
            after["README.md"],
            "Run `bell --tone-name a` or `bell --tone-name=a --tone-height 3`.\n"
        );
        assert!(after["tests/test_cli.py"].contains("[\"--tone-name\", \"a\"]"));
        assert_eq!(after["CHANGES.md"], FILES[3].1);
    }
}

#[test]
fn derived_option_names_are_left_to_a_person() {
    let files = [(
        "bell/cli.py",
        "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument(\"--dry-run\")\n    args = parser.parse_args()\n    return args.dry_run\n",
    )];
    let text = draft(&files, "Rename the option --dry-run to --preview").text;
    let (plan, _) = plan::parse(&text);
    let mut tasks = plan.tasks.iter();
    let open = tasks
        .find(|task| task.by == plan::By::Person)
        .expect("an open step");
    assert!(
        open.covers.contains(&"R1".to_owned()) && text.contains("return args.dry_run"),
        "{text}"
    );
    assert!(
        carried_out(&files, &plan)["bell/cli.py"].contains("\"--preview\""),
        "{text}"
    );
}

#[test]
fn an_ambiguous_option_is_not_renamed() {
    let mut two = FILES.to_vec();
    two.push((
        "bell/other.py",
        "def main(parser):\n    parser.add_argument(\"--tone\")\n",
    ));
    for (files, goal) in [
        (FILES, "Rename the option --tone to --tone-height"),
        (FILES, "Rename the option --knell to --toll"),
        (&two, GOAL),
    ] {
        let text = draft(files, goal).text;
        let (plan, _) = plan::parse(&text);
        assert!(
            is_open(&plan) && text.contains("assume: "),
            "{goal}\n{text}"
        );
        assert!(!text.contains("call: `edit_file"), "{goal}\n{text}");
    }
}
