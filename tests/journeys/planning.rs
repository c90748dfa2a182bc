//! The `plan` command: turns a goal and a folder into a valid plan file.

use planwright_tests::fixtures::{TOTAL_FILES, cargo_words, npm_list, python_report};
use planwright_tests::{Answers, Home, Project};
use serde_json::Value;

use crate::{run, run_id};

const RENAME: &str = "Rename the function total to sum_rows everywhere and test it";

fn plan(home: &Home, project: &Project, goal: &str) -> Value {
    home.planwright(project, ["plan", goal, "--json"])
        .expect(0)
        .last_json()
}

fn named_files(report: &Value) -> Vec<String> {
    let mut files: Vec<String> = report["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|task| task["files"].as_array().unwrap())
        .map(|file| file.as_str().unwrap().to_owned())
        .collect();
    files.sort();
    files.dedup();
    files
}

#[test]
fn a_rename_names_exactly_the_files_that_hold_the_name() {
    let home = Home::new();
    let project = python_report().git();
    let before = project.snapshot();
    let report = plan(&home, &project, RENAME);
    let mut expected: Vec<String> = TOTAL_FILES.iter().map(|file| (*file).to_owned()).collect();
    expected.sort();
    assert_eq!(named_files(&report), expected);
    let verify: Vec<&str> = report["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|task| task["verify"].as_array().unwrap())
        .map(|line| line.as_str().unwrap())
        .collect();
    assert!(
        verify.iter().any(|line| line.contains("unittest")),
        "{verify:?}"
    );

    // The plan file is the only new file, and it is where the report says.
    let path = report["path"].as_str().unwrap();
    let relative = path.strip_prefix(&format!(
        "{}/",
        project.path().canonicalize().unwrap().display()
    ));
    let relative = relative.expect("the plan is in the workspace");
    std::fs::remove_file(path).unwrap();
    std::fs::remove_dir(project.at("plans")).unwrap();
    let after = project.snapshot();
    assert_eq!(before.contents(), after.contents(), "{relative}");
}

#[test]
fn a_rename_is_planned_approved_run_and_proved() {
    let home = Home::new();
    let project = python_report().git();
    let report = plan(&home, &project, RENAME);
    let path = report["path"].as_str().unwrap().to_owned();

    let mut answers = Answers::new();
    for task in report["tasks"].as_array().unwrap() {
        if task["by"] == "person" {
            answers = answers.done(task["id"].as_str().unwrap(), "looked at by hand");
        }
    }
    let answers = answers.write_to(home.path());
    let ran = run(
        &home,
        &project,
        &path,
        &["--answers", answers.to_str().unwrap()],
    )
    .expect(0);
    for file in TOTAL_FILES {
        let text = project.read(file);
        assert!(text.contains("sum_rows"), "{file} was not renamed:\n{text}");
    }
    let (passes, output) = project.run("python3", &["-m", "unittest"]);
    assert!(passes, "{output}");

    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ran), "--json"])
        .expect(0)
        .last_json();
    let evidence: Vec<&Value> = receipt["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["evidence"].as_array().unwrap())
        .collect();
    let check = evidence
        .iter()
        .find(|piece| {
            piece["command"]
                .as_str()
                .is_some_and(|line| line.contains("unittest"))
        })
        .expect("the receipt shows that the project's own tests ran");
    assert_eq!(check["exit_code"], 0);
    assert!(check["output"].as_str().unwrap().contains("OK"), "{check}");
    assert_eq!(receipt["state"], "done");
}

#[test]
fn the_projects_own_test_command_is_found() {
    for (project, command) in [(cargo_words(), "cargo test"), (npm_list(), "npm test")] {
        let home = Home::new();
        let report = plan(
            &home,
            &project,
            "Add a function that counts the lines and test it",
        );
        let text = report["tasks"].to_string();
        assert!(text.contains(command), "{command} is not in {text}");
    }
}

#[test]
fn a_plan_covers_what_the_goal_asks_for() {
    let home = Home::new();
    let project = python_report();
    let report = plan(&home, &project, RENAME);
    assert!(
        report["requirements"].as_array().unwrap().len() >= 2,
        "{report}"
    );
    assert_eq!(report["adequacy"]["coverage"], 1.0);
    assert_eq!(report["adequacy"]["is_too_thin"], false, "{report}");
    assert!(report["route"].is_object());
}

#[test]
fn a_second_plan_does_not_overwrite_the_first() {
    let home = Home::new();
    let project = python_report();
    let first = plan(&home, &project, RENAME);
    let second = plan(&home, &project, RENAME);
    assert_ne!(first["path"], second["path"]);
    assert_ne!(first["id"], second["id"]);
}

#[test]
fn the_users_own_template_wins_and_a_broken_one_is_named() {
    let home = Home::new();
    let template = "\
---
planwright: 1
match:
  - greet {{who}}
params:
  - who
---
# Greet {{who}}

## Tasks
- [ ] **T1** Write a greeting for {{who}}
  - call: `write_file {\"path\": \"greeting.txt\", \"content\": \"Hello {{who}}\\n\"}`
";
    let project = Project::new()
        .file(".planwright/templates/greet.md", template)
        .file(".planwright/templates/broken.md", "no front matter here\n");
    let output = home
        .planwright(&project, ["plan", "Greet Ada", "--json"])
        .expect(0);
    let report = output.last_json();
    assert!(
        report["tasks"][0]["title"]
            .as_str()
            .unwrap()
            .contains("Ada"),
        "{report}"
    );
    assert!(output.stderr.contains("broken"), "{}", output.stderr);
}

#[test]
fn an_empty_goal_and_a_missing_folder_say_what_to_do() {
    let home = Home::new();
    let project = Project::new();
    home.planwright(&project, ["plan", "  "]).expect(64);
    let missing = home.planwright(&project, ["plan", "Add a flag", "--workspace", "nowhere"]);
    assert!(missing.expect(4).stderr.contains("nowhere"));
}

#[test]
fn an_enforced_thin_plan_needs_a_reason() {
    let home = Home::new().with_env("PLANWRIGHT_PLAN_ADEQUACY_ENFORCE", "true");
    home.write_settings(&serde_json::json!({"auto_expand_thin_plan": false}));
    let template = "\
---
planwright: 1
match:
  - migrate {{what}}
params:
  - what
---
# Migrate {{what}}

## Tasks
- [ ] **T1** Do the migration work on everything
  - by: person
";
    let project = Project::new().file(".planwright/templates/migrate.md", template);
    let goal = "Migrate the authentication of all services to the new tokens and keep the old ones working until the end of the year for everyone";
    home.planwright(&project, ["plan", goal]).expect(1);
    home.planwright(
        &project,
        ["plan", goal, "--reason", "a spike, thrown away on Friday"],
    )
    .expect(0);
}
