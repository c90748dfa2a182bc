//! Which files a plan treats as certain, and how it is checked: forbidden files are not changed,
//! modules with similar names are not confused, and performance goals are measured.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

mod support;

use support::draft;
use support::shop::SHOP;

/// The lines of a plan from the step with `title` in its title to the next step.
fn step<'t>(plan: &'t str, title: &str) -> &'t str {
    let mut steps = plan.split("\n- [ ] ");
    steps
        .find(|step| step.lines().next().is_some_and(|line| line.contains(title)))
        .unwrap_or_else(|| panic!("no step “{title}”: {plan}"))
}

#[test]
fn a_file_that_a_goal_leaves_alone_is_in_no_step_that_changes_something() {
    for limit in [
        "do not touch shop/invoice.py",
        "leave shop/invoice.py as it is",
    ] {
        let plan = draft(SHOP, &format!("Fix the rounding of total, but {limit}")).text;
        assert!(
            !step(&plan, "Fix the rounding").contains("files:"),
            "{plan}"
        );
    }
    let plan = draft(
        SHOP,
        "Fix the rounding of total, only touch shop/invoice.py",
    )
    .text;
    assert!(
        step(&plan, "Fix the rounding").contains("- files: `shop/invoice.py`"),
        "{plan}"
    );
}

const SCRIPTS: &[(&str, &str)] = &[
    (
        "package.json",
        "{\"scripts\": {\"test\": \"mocha\", \"check:lint\": \"eslint .\", \"fix:lint\": \"eslint --fix .\"},\n  \"devDependencies\": {\n    \"eslint\": \"^8.30.0\",\n    \"mocha\": \"^10.0.0\",\n    \"typescript-eslint\": \"^7.0.1\",\n    \"typescript\": \"^5.0.4\"\n  }}\n",
    ),
    (
        "lib/utils.js",
        "exports.wet = function wet(x) { return x }\n",
    ),
    (
        "lib/app.js",
        "var wet = require('./utils').wet;\nvar merge = require('utils-merge');\n",
    ),
    ("lib/deep/page.js", "var wet = require('../utils').wet;\n"),
    ("lib/deep/other.js", "var merge = require('utils-merge');\n"),
];

#[test]
fn what_imports_a_script_follows_it_and_another_module_of_a_like_name_does_not() {
    let plan = draft(SCRIPTS, "Rename lib/utils.js to lib/helpers.js").text;
    for (path, new) in [
        ("lib/app.js", "require('./helpers')"),
        ("lib/deep/page.js", "require('../helpers')"),
    ] {
        assert!(plan.contains(path) && plan.contains(new), "{new}: {plan}");
    }
    assert!(
        !plan.contains("utils-merge") && !plan.contains("other.js"),
        "{plan}"
    );
}

#[test]
fn a_verb_holds_for_what_follows_it() {
    let plan = draft(
        SHOP,
        "Rename shop/invoice.py to shop/bill.py, and the function total to sum_rows",
    )
    .text;
    assert!(plan.contains("rename `total` to `sum_rows`"), "{plan}");
}

#[test]
fn a_library_is_found_however_a_goal_writes_it_and_where_manifests_have_it() {
    let plan = draft(SCRIPTS, "Upgrade TypeScript to 5.5").text;
    assert!(plan.contains("set `typescript` to 5.5"), "{plan}");
    let plan = draft(SCRIPTS, "Upgrade eslint to 9.9.0").text;
    assert!(plan.contains("set `eslint` to 9.9.0"), "{plan}");
    assert!(plan.contains("Read what eslint 9.9.0 changes"), "{plan}");
    let table = [
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\n\n[dependencies.serde]\noptional = true\nversion = \"1.0\"\n\n[features]\nserde = [\"dep:serde\"]\n",
        ),
        ("src/lib.rs", "use serde::Serialize;\n"),
    ];
    let plan = draft(&table, "Bump serde to 1.0.210").text;
    assert!(
        plan.contains("set `serde` to 1.0.210") && !plan.contains("Adapt the code"),
        "{plan}"
    );
}

#[test]
fn where_is_said_in_other_words_and_means_no_less() {
    for more in ["", ", also in the docs", " including the documentation"] {
        let plan = draft(
            SHOP,
            &format!("Rename the function total to sum_rows{more}"),
        )
        .text;
        assert!(
            plan.contains("rename `total` to `sum_rows`"),
            "{more}: {plan}"
        );
    }
    let files = [(
        "package.json",
        "{\n  \"name\": \"a\",\n  \"version\": \"1.0.0\"\n}\n",
    )];
    for goal in [
        "Set the version in package.json to 3.0.2",
        "Bump the version to 3.0.2 in package.json",
    ] {
        let plan = draft(&files, goal).text;
        assert!(plan.contains("set `version` to 3.0.2"), "{goal}: {plan}");
    }
}

#[test]
fn the_check_fits_the_work() {
    let plan = draft(SHOP, "Make total 2x faster").text;
    assert_eq!(plan.matches("Measure").count(), 2, "{plan}");
    assert!(!plan.contains("Extend the tests"), "{plan}");
    let plan = draft(SCRIPTS, "Fix the eslint warnings in lib/app.js").text;
    assert!(
        plan.contains("verify: `npm run check:lint`") && !plan.contains("Write a test"),
        "{plan}"
    );
    let plan = draft(SHOP, "Fix what flake8 says of shop/invoice.py").text;
    assert!(plan.contains("verify: `flake8`"), "{plan}");
}

#[test]
fn text_changes_are_checked_by_reading() {
    let plan = draft(SHOP, "Fix the broken link in README.md").text;
    assert!(
        !plan.contains("Write a test") && !plan.contains("verify:"),
        "{plan}"
    );
    let plan = draft(
        SHOP,
        "- Have total round to cents\n- mention it in README.md",
    )
    .text;
    let text = step(&plan, "ention it in README.md");
    assert!(
        text.contains("- files: `README.md`") && !text.contains("verify"),
        "{plan}"
    );
}
