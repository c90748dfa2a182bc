//! A completed step stays completed: its checks run again before, between and after other steps,
//! and signatures are respected. Uses real commands.

use planwright_tests::{Answers, Home, Project};
use serde_json::json;

use crate::verification::{GREET, greetings, receipt, states};
use crate::{resume, run, run_id};

const OVERWRITTEN: &str = "\
# Write a greeting

## Tasks
- [ ] **T1** Write the greeting into the file f
  - call: `write_file {\"path\": \"f\", \"content\": \"hi\\n\"}`
  - verify: `grep -qx hi f`
- [ ] **T2** Write another greeting into the file f
  - call: `write_file {\"path\": \"f\", \"content\": \"good day\\n\"}`
  - verify: `grep -q day f`
";

#[test]
fn a_step_that_a_later_one_broke_is_not_done_and_neither_is_the_run() {
    let (home, project) = (Home::new(), greetings(OVERWRITTEN));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert_eq!(states(&ran), ["T1 done", "T2 done", "T1 failed"]);
    let message = ran.events("ended")[0]["message"].to_string();
    assert!(message.contains("T1 failed: broken by T2"), "{message}");
    let plan = project.read("plans/p.md");
    assert!(
        plan.contains("- [ ] **T1**") && plan.contains("- [x] **T2**"),
        "{plan}"
    );
    let receipt = receipt(&home, &project, &ran);
    assert_eq!(receipt["state"], "failed");
    assert_eq!(receipt["steps"][0]["state"], "failed");
    let reason = receipt["steps"][0]["reason"].to_string();
    assert!(reason.contains("broken by T2"), "{reason}");

    project.write("f", "hi\ngood day\n");
    let again = Answers::new().with("T1", json!("Retry"));
    let ran = resume(&home, &project, &run_id(&ran), &again).expect(0);
    assert_eq!(ran.events("ended")[0]["state"], "done");
    assert!(project.read("plans/p.md").contains("- [x] **T1**"));
}

#[test]
fn a_step_of_an_earlier_run_that_this_one_broke_is_not_done() {
    let (home, project) = (Home::new(), greetings(OVERWRITTEN));
    run(&home, &project, "plans/p.md", &[]).expect(4);
    // T2 is still recorded as done when T1 is repeated, which breaks T2.
    let again = Answers::new().unknown("repeat").write_to(home.path());
    let again = ["--answers", again.to_str().unwrap()];
    let ran = run(&home, &project, "plans/p.md", &again).expect(4);
    assert_eq!(states(&ran), ["T1 done", "T2 failed"]);
    let plan = project.read("plans/p.md");
    assert!(
        plan.contains("- [x] **T1**") && plan.contains("- [ ] **T2**"),
        "{plan}"
    );
}

const TWO_EDITS: &str = "\
# Count in another way

## Tasks
- [ ] **T1** Let f in m.py return 11
  - call: `edit_file {\"path\": \"m.py\", \"old_text\": \"10\", \"new_text\": \"11\"}`
  - verify: `python3 -c \"import m; assert m.f() == 11\"`
- [ ] **T2** Let f in m.py return 12
  - call: `edit_file {\"path\": \"m.py\", \"old_text\": \"11\", \"new_text\": \"12\"}`
  - verify: `python3 -c \"import m; assert m.f() == 11\"`
";

#[test]
fn bytecode_of_an_older_file_does_not_pass_a_check() {
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", TWO_EDITS));
    project.write("m.py", "def f():\n    return 10\n");
    // Creates a bytecode cache within the same second, as an earlier run could have left it.
    project.run("python3", &["-m", "py_compile", "m.py"]);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert_eq!(states(&ran), ["T1 done", "T2 failed"]);
    let receipt = receipt(&home, &project, &ran);
    assert_eq!(receipt["steps"][0]["changes"], json!(["m.py"]));
}

#[test]
fn a_check_leaves_no_caches_behind_and_they_count_as_nobodys_change() {
    let cached = TWO_EDITS.replace(
        "python3 -c \"import m; assert m.f() == 11\"",
        "python3 -m unittest -q test_m",
    );
    let test = "import m, py_compile, unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        py_compile.compile('m.py')\n        self.assertIn(m.f(), (11, 12))\n";
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", cached));
    project.write("m.py", "def f():\n    return 10\n");
    project.write("test_m.py", test);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    let receipt = receipt(&home, &project, &ran);
    for step in [0, 1] {
        assert_eq!(receipt["steps"][step]["changes"], json!(["m.py"]));
        assert_eq!(receipt["steps"][step]["ignored_changes"], 0);
    }
    assert!(!project.at("__pycache__/test_m.cpython-311.pyc").exists());
}

#[test]
fn a_person_signs_what_nothing_verified_and_the_receipt_says_so() {
    let plan = GREET.replace("\"hello\"}`\n- [ ] **T2", "\"farewell\"}`\n- [ ] **T2");
    let (home, project) = (Home::new(), greetings(&plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(6);
    let asked = &ran.events("waiting")[0];
    assert_eq!(
        (&asked["id"], &asked["for"]),
        (&json!("T1"), &json!("unverified"))
    );
    let message = asked["message"].as_str().unwrap();
    assert!(message.contains("its search found nothing"), "{message}");
    assert!(message.ends_with("Mark as done?"), "{message}");
    let signed = Answers::new().done("T1", "nobody says farewell here");
    let again = resume(&home, &project, &run_id(&ran), &signed).expect(0);
    assert_eq!(again.events("ended")[0]["state"], "done");
    assert!(project.read("plans/p.md").contains("- [x] **T1**"));
    let step = receipt(&home, &project, &ran)["steps"][0].clone();
    assert_eq!(step["state"], "done");
    let evidence = step["evidence"].as_array().unwrap().clone();
    let signature = evidence.iter().find(|one| one["kind"] == "signature");
    assert_eq!(signature.unwrap()["summary"], "nobody says farewell here");
}

#[test]
fn a_check_that_was_failing_before_the_run_is_said_to_have_been() {
    let plan = GREET.replace("grep -q good greetings.txt", "grep -q moin greetings.txt");
    let (home, project) = (Home::new(), greetings(&plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    let message = ran.events("ended")[0]["message"].to_string();
    assert!(
        message.contains("already failing before the run"),
        "{message}"
    );
    let receipt = receipt(&home, &project, &ran);
    assert_eq!(receipt["baseline"][0]["ok"], false);
    let shown = home
        .planwright(&project, ["receipt", &run_id(&ran)])
        .expect(0);
    assert!(
        shown.shown().contains("already failing"),
        "{}",
        shown.shown()
    );
}
