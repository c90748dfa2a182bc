//! Permission rules: listed with their origin, revoked in the window and in the terminal, and
//! removed with their run if they were limited to it.

use desktop::wire::GivenAnswer;
use planwright_tests::{Answers, Home, Project};
use serde_json::json;
use workbench::Code;

use crate::desk::Desk;
use crate::{run, run_id};

const PLAN: &str = "\
# Touch two files one after the other

## Tasks
- [ ] **T1** Touch the first file of the two
  - call: `run_command {\"command\": \"touch made now\"}`
- [ ] **T2** Touch the same file again
  - call: `run_command {\"command\": \"touch made now\"}`
";

fn rows(home: &Home, project: &Project) -> Vec<serde_json::Value> {
    home.planwright(project, ["permissions", "--json"])
        .expect(0)
        .json()
}

#[test]
fn every_rule_is_listed_with_where_it_came_from_and_taken_back() {
    let mut desk = Desk::asking(Project::new().file("plans/p.md", PLAN));
    desk.home.write_settings(&json!({
        "sandbox": "none",
        "permissions": [
            {"tool": "run_command", "match": "exact make test", "answer": "allow"},
            {"tool": "run_command", "match": "prefix git push", "answer": "deny"},
        ],
    }));
    desk.project.write(
        ".planwright/settings.json",
        r#"{"permissions": [{"tool": "run_command", "match": "prefix curl", "answer": "ask"}]}"#,
    );
    let run = desk.approve();
    let asked = desk.wait_question(&run, "permission");
    let rule = asked.permission.clone().unwrap().rules[0].clone();
    assert_eq!(
        (rule.kind.as_str(), rule.text.as_str()),
        ("exact", "touch made now")
    );
    desk.answer(&asked, GivenAnswer::AllowAlways { rule })
        .unwrap();
    desk.wait_state(&run, "done");

    let listed = rows(&desk.home, &desk.project);
    let told: Vec<String> = listed
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            format!("{} {} {}", text("from"), text("answer"), text("match"))
        })
        .collect();
    assert_eq!(
        told,
        [
            "settings allow exact make test",
            "settings deny prefix git push",
            "workspace ask prefix curl",
            "always here allow exact touch made now",
        ]
    );
    let id = |at: usize| listed[at]["id"].as_str().unwrap().to_owned();

    // The window lists the same rules and revokes one, and the terminal sees the change.
    let path = desk.project.path().to_str().unwrap().to_owned();
    let view = desk.desktop().settings(Some(&path)).unwrap();
    assert_eq!(view.rules.len(), 4);
    assert_eq!(
        view.rules.iter().filter(|rule| rule.is_revocable).count(),
        3
    );
    desk.desktop().revoke_rule(&view.rules[0].id).unwrap();
    assert_eq!(rows(&desk.home, &desk.project).len(), 3);

    // The terminal revokes another rule, and the window sees the change.
    desk.home
        .planwright(&desk.project, ["permissions", "--remove", &id(3)])
        .expect(0);
    let view = desk.desktop().settings(Some(&path)).unwrap();
    assert!(view.rules.iter().all(|rule| rule.from != "always here"));
    let gone = desk.desktop().revoke_rule(&id(3)).unwrap_err();
    assert_eq!(gone.code, Code::Usage);
    let kept = desk
        .home
        .planwright(&desk.project, ["permissions", "--remove", "w1", "--json"])
        .expect(64);
    let message = kept.last_json()["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(message.contains(".planwright/settings.json"), "{message}");

    // Without the rules, the run asks again when the steps are repeated.
    desk.project.write("plans/p.md", PLAN);
    let run = desk.approve();
    let asked = desk.wait_question(&run, "claims");
    let (label, note) = ("Repeat".to_owned(), None);
    desk.answer(&asked, GivenAnswer::Choice { label, note })
        .unwrap();
    desk.wait_question(&run, "permission");
}

#[test]
fn a_yes_for_the_run_ends_with_it() {
    let home = Home::new();
    home.write_settings(&json!({ "sandbox": "none" }));
    let project = Project::new().file("plans/p.md", PLAN);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(3);
    let yes = Answers::new().permit("run_command", "exact touch made now", "run");
    let answers = yes.write_to(home.path());
    let arguments = ["--answers", answers.to_str().unwrap(), "--json"];
    let resumed = home.planwright(
        &project,
        ["resume", &run_id(&ran)].into_iter().chain(arguments),
    );
    resumed.expect(0);
    assert_eq!(rows(&home, &project), Vec::<serde_json::Value>::new());
    let another = PLAN
        .replace("two files", "the same files")
        .replace("the first file", "one file");
    project.write("plans/another.md", &another);
    let asked = run(&home, &project, "plans/another.md", &[]).expect(3);
    assert_eq!(asked.events("waiting")[0]["for"], "permission");
}

#[test]
fn a_beginning_ends_where_a_word_ends() {
    let plan = |command: &str| PLAN.replace("touch made now", command);
    let home = Home::new();
    home.write_settings(&json!({
        "permissions": [
            {"tool": "run_command", "match": "prefix touch", "answer": "ask"},
            {"tool": "run_command", "match": "prefix touch made", "answer": "allow"},
        ],
    }));
    let project = Project::new().file("plans/p.md", plan("touch made now"));
    let asked = run(&home, &project, "plans/p.md", &[]).expect(3);
    assert_eq!(
        asked.events("waiting")[0]["for"],
        "permission",
        "the strictest wins"
    );

    home.write_settings(&json!({
        "sandbox": "none",
        "permissions": [{"tool": "run_command", "match": "exact touch made", "answer": "allow"}],
    }));
    for (at, (command, exit)) in [
        ("touch made", 0),
        ("touch made2", 3),
        ("touch  made", 3),
        ("touch made; ls", 3),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("plans/p{at}.md");
        project.write(&name, plan(command));
        run(&home, &project, &name, &[]).expect(exit);
    }
}
