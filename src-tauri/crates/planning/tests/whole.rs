//! Rules that edit files either complete a goal or leave it to a person: constraints and parts that
//! they can't handle become steps for a person, and no step claims to cover more than it does.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

mod support;

use support::draft;
use support::shop::SHOP;

/// The number of calls in a plan that change files.
fn changing(text: &str) -> usize {
    ["edit_file", "delete_file", "write_file", "move_file"]
        .iter()
        .map(|tool| text.matches(&format!("call: `{tool}")).count())
        .sum()
}

const RENAME: &str = "Rename the function total to sum_rows";
const DELETE: &str = "Delete data/orders.json";

#[test]
fn goals_that_rules_complete_become_calls() {
    for goal in [
        RENAME,
        DELETE,
        "Rename the function total to sum_rows and test it",
    ] {
        assert!(changing(&draft(SHOP, goal).text) > 0, "{goal}");
    }
}

#[test]
fn a_limit_or_a_wish_in_the_same_words_leaves_every_change_to_a_person() {
    let more = [
        ", but not in the tests",
        ". Do not change shop/invoice.py",
        " without touching the README",
        " and the discount of the invoice",
        ", the page of it",
    ];
    for work in [RENAME, DELETE] {
        for more in more {
            let goal = format!("{work}{more}");
            let plan = draft(SHOP, &goal).text;
            assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
        }
    }
}

#[test]
fn a_question_beside_work_does_not_swallow_it() {
    let goal = "What does invoice do? Add a header row to it.";
    let text = draft(SHOP, goal).text;
    assert!(!text.contains("Nothing is changed"), "{text}");
}

/// Two renames in the shop, phrased in several ways.
const PAIRS: [&str; 6] = [
    "Rename the function total to sum_rows and the helper function price to unit_price",
    "Rename total to sum_rows and price to unit_price",
    "Rename total to sum_rows, then rename price to unit_price",
    "Rename `total` -> `sum_rows`, `price` -> `unit_price`",
    "1. Rename total to sum_rows\n2. Rename price to unit_price",
    "Rename total to sum_rows and rename price to unit_price, and run the tests",
];

#[test]
fn every_pair_of_a_rename_is_written_by_the_same_steps() {
    let files = [
        (
            "shop/sums.py",
            "def total(rows):\n    return sum(price(row) for row in rows)\n\n\ndef price(row):\n    return row[1]\n",
        ),
        (
            "shop/page.py",
            "from shop.sums import price, total\n\n\ndef page(rows):\n    return total(rows), [price(row) for row in rows]\n",
        ),
        (
            "tests/test_sums.py",
            "from shop.sums import total\n\n\ndef test_total():\n    assert total([(0, 2)]) == 2\n",
        ),
    ];
    for goal in PAIRS {
        let text = draft(&files, goal).text;
        let (plan, _) = plan::parse(&text);
        let mut after: std::collections::BTreeMap<&str, String> = files
            .iter()
            .map(|(path, text)| (*path, (*text).to_owned()))
            .collect();
        for call in plan.tasks.iter().flat_map(|task| &task.calls) {
            let Ok(call) = &call.parsed else {
                panic!("{goal}: {}", call.raw);
            };
            let value = |name: &str| {
                let value = call.arguments.get(name).and_then(|value| value.as_str());
                value.unwrap_or_default().to_owned()
            };
            if call.tool != plan::ToolName::EditFile {
                continue;
            }
            let file = after
                .get_mut(value("path").as_str())
                .expect("a file of the shop");
            assert_eq!(
                file.matches(&value("old_text")).count(),
                1,
                "{goal}\n{text}"
            );
            *file = file.replacen(&value("old_text"), &value("new_text"), 1);
        }
        let all: String = after.into_values().collect();
        let words: Vec<&str> = all
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for old in ["total", "price"] {
            assert!(!words.contains(&old), "{goal}: {old}\n{text}\n{all}");
        }
        assert!(words.contains(&"test_total"), "longer names stay\n{all}");
        for requirement in &plan.requirements {
            let is_covered = plan
                .tasks
                .iter()
                .any(|task| task.covers.contains(&requirement.id));
            assert!(is_covered, "{goal}: {}\n{text}", requirement.text);
        }
    }
}

#[test]
fn pairs_that_meet_are_left_to_a_person() {
    for goal in [
        "Rename total to price and price to total",
        "Rename total to price, then rename price to amount",
        "Rename total to amount and price to amount",
    ] {
        let plan = draft(SHOP, goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
}

/// A package: its manifest, which contains its own version and a library's, and the expected line.
const PACKAGES: [(&str, &str, &str); 3] = [
    (
        "package.json",
        "{\n  \"name\": \"bell\",\n  \"version\": \"1.2.0\",\n  \"dependencies\": { \"ring\": \"^1.2.0\" }\n}\n",
        "\"version\": \"2.0.0\"",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"bell\"\nversion = \"1.2.0\"\n\n[dependencies]\nring = { version = \"1.2.0\" }\n",
        "version = \"2.0.0\"",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"bell\"\nversion = \"1.2.0\"\ndependencies = [\"ring>=1.2.0\"]\n",
        "version = \"2.0.0\"",
    ),
];

#[test]
fn the_projects_own_version_is_set_where_its_manifest_says_it() {
    for (path, text, after) in PACKAGES {
        for goal in [
            "Bump the version to 2.0.0",
            "Set the version to v2.0.0",
            "Update our version from 1.2.0 to 2.0.0",
        ] {
            let plan = draft(&[(path, text)], goal).text;
            assert_eq!(changing(&plan), 1, "{goal}\n{plan}");
            let json = after.replace('"', "\\\"");
            assert!(plan.contains(&json), "{path}: {goal}\n{plan}");
            assert!(!plan.contains("ring"), "{goal}\n{plan}");
        }
    }
}

#[test]
fn the_newest_version_of_a_library_is_looked_up_by_a_person_in_the_manifest() {
    let files = [
        (
            "package.json",
            "{\n  \"dependencies\": { \"ring\": \"^1.2.0\" }\n}\n",
        ),
        ("lib/a.js", "require('ring')\n"),
    ];
    let plan = draft(&files, "Update ring to the latest version").text;
    assert_eq!(changing(&plan), 0, "{plan}");
    assert!(plan.contains("Make the change in `package.json`"), "{plan}");
}

#[test]
fn a_removal_deletes_everything_listed_or_is_left_to_a_person() {
    let files = [
        ("HOWTO", "x\n"),
        ("ci.yml", "y\n"),
        ("src/a.py", "import b\n"),
    ];
    let plan = draft(&files, "Delete HOWTO and ci.yml").text;
    assert_eq!(changing(&plan), 2, "{plan}");
    for more in [
        " and all that uses it",
        ", the badge and its test",
        " and the release notes of it",
    ] {
        let goal = format!("Delete ci.yml{more}");
        let plan = draft(&files, &goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
}

#[test]
fn a_new_name_that_is_bound_where_it_would_be_used_is_taken() {
    let taken = [
        ("src/a.py", "def toll(n):\n    return n\n"),
        (
            "src/b.py",
            "from a import toll\n\ndef ring(peal):\n    return toll(peal)\n",
        ),
    ];
    let local = [
        (
            "src/a.py",
            "def toll(n):\n    return n\n\n\ndef ring(n):\n    peal = toll(n)\n    return peal\n",
        ),
        ("src/c.py", "x = 1\n"),
    ];
    let elsewhere = [
        ("src/a.py", "def toll(n):\n    return n\n"),
        ("src/c.py", "def ring(peal):\n    return peal\n"),
    ];
    let goal = "Rename the function toll to peal";
    for files in [taken, local] {
        let plan = draft(&files, goal).text;
        assert_eq!(changing(&plan), 0, "{plan}");
        assert!(
            plan.contains("is already the name of something else"),
            "{plan}"
        );
    }
    assert_eq!(changing(&draft(&elsewhere, goal).text), 1);
}

#[test]
fn destructured_names_are_left_to_a_person() {
    let files = [
        ("lib/bell.js", "class Toll {}\nmodule.exports = { Toll };\n"),
        (
            "esm.mjs",
            "import bells from './index.js';\n\nexport const {\n  ring,\n  Toll,\n} = bells;\n",
        ),
    ];
    let plan = draft(&files, "Rename the class Toll to Peal").text;
    assert!(
        plan.contains("In `esm.mjs`, decide which `Toll` to rename"),
        "{plan}"
    );
}

#[test]
fn a_rename_without_certain_occurrences_is_left_to_a_person() {
    let files = [("src/a.py", "def ring(toll=1):\n    return toll\n")];
    let plan = draft(&files, "Rename the parameter toll to peal").text;
    assert!(!plan.contains("decide which"), "{plan}");
    assert!(
        plan.contains("Rename the parameter toll to peal\n  - by: person"),
        "{plan}"
    );
}

#[test]
fn references_to_deleted_or_moved_files_get_a_step() {
    let files = [
        (
            "src/lib.rs",
            "mod toll;\n\npub fn ring() {\n    toll::ring();\n}\n",
        ),
        ("src/toll.rs", "pub fn ring() {}\n"),
        ("README.md", "# Bells\n\nSee [it](src/toll.rs).\n"),
        ("tests/all.rs", "fn load(toll: u8) -> u8 {\n    toll\n}\n"),
    ];
    let plan = draft(&files, "Delete src/toll.rs").text;
    assert_eq!(changing(&plan), 1, "{plan}");
    assert!(
        plan.contains("In `src/lib.rs`, remove references to deleted files (2 places)"),
        "{plan}"
    );
    assert!(plan.contains("1: mod toll;\n  4: toll::ring();"), "{plan}");
    assert!(plan.contains("In `README.md`, remove references"), "{plan}");
    assert!(!plan.contains("In `tests/all.rs`"), "{plan}");
    let plan = draft(&files, "Move src/toll.rs to src/peal.rs").text;
    assert!(plan.contains("4: toll::ring();"), "{plan}");
    assert!(!plan.contains("In `tests/all.rs`"), "{plan}");
}

/// These goals delete more or less than the files that they name.
const NOT_THESE_FILES: [&str; 19] = [
    "Delete ci.yml, as well as its tests",
    "Delete ci.yml and its mention in README.md",
    "Remove the ci.yml section of README.md",
    "Delete README.md's oldest entries",
    "Remove ci.yml from the docs",
    "Delete ci.yml, the line about it in README.md and the HOWTO entry",
    "Remove everything but README.md",
    "Delete all files except README.md",
    "Delete all files apart from README.md and ci.yml",
    "Remove the references to src/a.py in README.md",
    "Remove every file that README.md does not name",
    "Delete the empty files in src/",
    "Delete the trailing blanks in README.md",
    "Delete src/a.py unless ci.yml names it",
    "Remove half of README.md",
    "Lösche ci.yml und den Verweis darauf in README.md",
    "Lösche alles außer README.md",
    "Lösche den letzten Absatz in README.md",
    "Remove ci.yml because README.md replaces it",
];

/// These goals delete exactly the files that they name.
const THESE_FILES: [(&str, usize); 12] = [
    ("Please delete the old file ci.yml from this repository", 1),
    ("Delete `ci.yml`, README.md and src/a.py.", 3),
    (
        "Remove both ci.yml and README.md, since nobody reads them",
        2,
    ),
    ("Delete all files in src/", 2),
    ("Delete the src folder", 2),
    ("Drop the module src/a.py and the file HOWTO", 2),
    ("Remove ci.yml, which is no longer used", 1),
    ("Delete ci.yml because it is unused", 1),
    ("Lösche die Datei ci.yml und README.md", 2),
    ("Lösche die Dateien unter src/", 2),
    ("Die alte Datei ci.yml bitte löschen", 1),
    ("ci.yml löschen", 1),
];

#[test]
fn a_rename_that_is_not_for_everywhere_is_left_to_a_person() {
    let files = [
        ("src/a.py", "def toll():\n    return 1\n"),
        ("src/b.py", "from a import toll\n\nc = toll()\n"),
    ];
    assert!(changing(&draft(&files, "Rename toll to peal everywhere in the project").text) > 0);
    for scope in [
        "only in src/a.py",
        "in src/a.py, nowhere else",
        "in src/a.py and nothing else",
        ", but only where it is called",
        "in src/a.py but not in src/b.py",
        "everywhere except in src/b.py",
        "in all files other than src/b.py, if there are any",
        "wherever it is not called",
    ] {
        let goal = format!("Rename toll to peal {scope}").replace(" ,", ",");
        let plan = draft(&files, &goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
    for goal in [
        "Benenne toll in peal um, aber nur in src/a.py",
        "Renomme toll en peal dans src/a.py seulement",
        "Renombra toll a peal en src/a.py, nada más",
    ] {
        let plan = draft(&files, goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
}

#[test]
fn rules_delete_only_what_the_goal_states() {
    let files = [
        ("HOWTO", "x\n"),
        ("README.md", "# x\n\nSee src/a.py.\n"),
        ("ci.yml", "y\n"),
        ("src/a.py", "import b\n"),
        ("src/b.py", "c = 1\n"),
    ];
    for goal in NOT_THESE_FILES {
        let plan = draft(&files, goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
    }
    for (goal, count) in THESE_FILES {
        let plan = draft(&files, goal).text;
        assert_eq!(changing(&plan), count, "{goal}\n{plan}");
    }
}

#[test]
fn a_rename_skips_history_and_generated_files() {
    let files = [
        ("bell/ring.py", "def toll():\n    return 1\n"),
        ("README.md", "Call `toll()`.\n"),
        ("CHANGES.md", "- 1.0: `toll()` is new\n"),
        ("PKG-INFO", "Name: bell\n\nCall `toll()`.\n"),
    ];
    let plan = draft(&files, "Rename the function toll to peal").text;
    assert!(plan.contains("edit_file {\"path\":\"README.md\""), "{plan}");
    for left in ["CHANGES.md", "PKG-INFO"] {
        assert!(!plan.contains(&format!("files: `{left}`")), "{plan}");
        assert!(plan.contains(&format!("`{left}` (")), "{plan}");
    }
}

#[test]
fn a_taken_or_missing_name_is_not_renamed() {
    let files = [(
        "bell/ring.py",
        "def toll():\n    return peal()\n\n\ndef peal():\n    return 1\n",
    )];
    for goal in ["Rename toll to peal", "Rename knell to chime"] {
        let plan = draft(&files, goal).text;
        assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
        assert!(plan.contains("assume: "), "{goal}\n{plan}");
    }
}

#[test]
fn a_module_is_not_renamed_without_its_file() {
    let files = [
        ("bell/tone.py", "def toll():\n    return 1\n"),
        ("bell/ring.py", "from bell.tone import toll\n"),
    ];
    let text = draft(&files, "Rename the module tone to sound").text;
    assert!(text.contains("which would have to move too"), "{text}");
    assert!(
        text.contains("** Rename the module tone to sound\n  - by: person"),
        "{text}"
    );
}

#[test]
fn a_vague_goal_asks_for_clarification_first() {
    for goal in [
        "make it faster",
        "refactor",
        "improve the performance",
        "fix the typos",
    ] {
        let text = draft(SHOP, goal).text;
        let (plan, _) = plan::parse(&text);
        let first = plan
            .tasks
            .first()
            .map(|task| task.title.clone())
            .unwrap_or_default();
        assert!(first.starts_with("Clarify what"), "{goal}\n{text}");
        assert!(
            plan.tasks.iter().all(|task| task.files.is_empty()),
            "{goal}\n{text}"
        );
    }
}

#[test]
fn each_wish_of_several_names_its_own_files() {
    let files = [
        ("bell/ring.py", "def toll():\n    return 1\n"),
        ("tox.ini", "[tox]\n"),
        ("README.md", "# Bell\n"),
    ];
    let text = draft(
        &files,
        "1. Delete tox.ini\n2. Make toll return 2\n3. Write about toll in README.md",
    )
    .text;
    let (plan, _) = plan::parse(&text);
    for (id, files) in [
        ("R1", ["tox.ini"]),
        ("R2", ["bell/ring.py"]),
        ("R3", ["README.md"]),
    ] {
        let mut doing = plan
            .tasks
            .iter()
            .filter(|task| task.covers.contains(&id.to_owned()));
        let task = doing.next().expect("a step of its own");
        assert_eq!(task.files, files, "{text}");
    }
}

/// Files, each with its path and text.
type Files = &'static [(&'static str, &'static str)];

/// Projects in which a word names both a module and an identifier, with different imports.
const MODULES: [Files; 3] = [
    &[
        ("slug/slug.py", "def slug(text):\n    return text.lower()\n"),
        ("slug/__init__.py", "from .slug import slug\n"),
        ("README.md", "    from slug import slug\n    slug('A')\n"),
    ],
    &[
        (
            "lib/response.js",
            "var slug = require('slug');\n\nres.slug = function () {\n  return slug(this);\n};\n",
        ),
        ("README.md", "Call `res.slug()`.\n"),
    ],
    &[
        (
            "src/lib.rs",
            "mod slug;\npub use slug::slug;\n\npub fn page() -> String {\n    slug(\"A\")\n}\n",
        ),
        (
            "src/slug.rs",
            "pub fn slug(text: &str) -> String {\n    text.to_lowercase()\n}\n",
        ),
    ],
];

#[test]
fn a_name_shared_with_a_module_is_left_to_a_person() {
    for files in MODULES {
        for goal in [
            "Rename slug to short_name",
            "Rename the function slug to short_name and test it",
        ] {
            let plan = draft(files, goal).text;
            assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
            assert!(plan.contains("is also a module"), "{plan}");
        }
    }
}

#[test]
fn running_existing_tests_does_not_cover_a_requested_test() {
    for work in [
        RENAME,
        DELETE,
        "Bump the version to 2.0.0",
        "Make the page nicer",
    ] {
        for wish in [
            "add a test for each",
            "write tests of it",
            "extend the tests by the empty page",
        ] {
            let goal = format!("{work} and {wish}");
            let text = draft(SHOP, &goal).text;
            let plan = plan::parse(&text).0;
            let wanted = plan
                .requirements
                .iter()
                .find(|one| one.text.to_lowercase().contains("test"));
            let Some(wanted) = wanted else { continue };
            let runs =
                |task: &plan::Task| task.covers.contains(&wanted.id) && task.by != plan::By::Person;
            assert!(!plan.tasks.iter().any(runs), "{goal}\n{text}");
        }
    }
}

#[test]
fn possible_constraints_leave_every_change_to_a_person() {
    let limits = [
        ". The tests must not be changed.",
        ", but the tests should stay as they are",
        ". shop/invoice.py is generated, so it may not be edited.",
        ". Tests are owned by another team, hands off.",
        ". README.md and CHANGELOG.md are off limits.",
        ". Il ne faut pas modifier shop/invoice.py.",
        ". Die Datei shop/invoice.py darf nicht geändert werden.",
        ". 別のチームのファイルなのでテストは変更しないでください。",
        ". Test files stay as they are.",
        " and add a docstring to it. The tests are not ours.",
        ", aber lass die README in Ruhe",
        ". shop/invoice.py must keep its header.",
    ];
    for work in [RENAME, DELETE, "Bump the version to 2.0.0"] {
        for limit in limits {
            let goal = format!("{work}{limit}");
            let plan = draft(SHOP, &goal).text;
            assert_eq!(changing(&plan), 0, "{goal}\n{plan}");
        }
    }
    // Neither a reason nor a demand that the tests pass is a constraint.
    for more in [". The unit tests pass.", ". All tests pass."] {
        let plan = draft(
            SHOP,
            &format!("Rename the function total to sum_rows{more}"),
        )
        .text;
        assert!(changing(&plan) > 0, "{plan}");
    }
    let plan = draft(
        SHOP,
        "Rename the function total to sum_rows because total is not clear",
    )
    .text;
    assert!(changing(&plan) > 0, "{plan}");
}

#[test]
fn what_a_person_writes_in_place_of_a_requirement_on_tests_stops_no_rule() {
    let goal = "Rename the function total to sum_rows and make sure the tests pass";
    let texts = [
        "Rename the function total to sum_rows",
        "the unit tests pass",
    ]
    .map(str::to_owned);
    let intake =
        planning::detect(goal, &adequacy::WorkspaceFacts::default()).with_requirements(&texts);
    assert!(
        !intake.parts.is_empty() || intake.kind == planning::TaskType::Rename,
        "{intake:#?}"
    );
    let texts = [
        "Rename the function total to sum_rows",
        "the tests are not ours",
    ]
    .map(str::to_owned);
    let intake =
        planning::detect(goal, &adequacy::WorkspaceFacts::default()).with_requirements(&texts);
    assert!(
        intake.parts.is_empty() && intake.kind != planning::TaskType::Rename,
        "{intake:#?}"
    );
}
