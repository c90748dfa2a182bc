//! Destroyed data is detected by comparing files before and after each command, however the command
//! is written. The run asks before it does anything else, and a refusal restores the files.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Output, Project};
use serde_json::json;

use crate::{resume, run, run_id};

/// The reason for overriding the quality gate on these plans.
const REASON: [&str; 2] = ["--reason", "the files are in Git"];

fn module(functions: usize) -> String {
    (0..functions)
        .map(|at| {
            format!("def part_{at}(value):\n    total = value + {at}\n    return total\n\n\n")
        })
        .collect()
}

fn shop() -> Project {
    let project = Project::new()
        .file("src/shop.py", module(20))
        .file(
            "notes.md",
            (0..30)
                .map(|at| format!("## Note {at}\n\nWe agreed on point {at}.\n\n"))
                .collect::<String>(),
        )
        .file("src/util.py", "def one():\n    return 1 + 1\n")
        .file(".gitignore", "build/\n");
    // A build output, which Git ignores.
    project.write("build/out.log", "a line\n".repeat(40));
    project
}

/// A plan with one step for each list of commands.
fn plan(steps: &[&[&str]]) -> String {
    let mut text = "# Work on the shop\n\n## Tasks\n".to_owned();
    for (at, commands) in steps.iter().enumerate() {
        let at = at + 1;
        text.push_str(&format!(
            "- [ ] **T{at}** Go on with part {at} of the work by a command\n"
        ));
        if at > 1 {
            text.push_str(&format!("  - depends: T{}\n", at - 1));
        }
        for command in *commands {
            text.push_str(&format!(
                "  - call: `run_command {}`\n",
                json!({ "command": command })
            ));
        }
    }
    text
}

fn planned(project: &Project, steps: &[&[&str]]) {
    project.write("plans/p.md", plan(steps));
    project.run_git(&["init", "--quiet", "--initial-branch=main"]);
    for (name, value) in [("user.name", "Somebody"), ("user.email", "s@example.org")] {
        project.run_git(&["config", name, value]);
    }
    project.commit("as it is");
}

fn lost(ran: &Output) -> Vec<String> {
    let waiting = &ran.events("waiting")[0];
    assert_eq!(waiting["for"], "destructive", "{waiting}");
    let subjects = waiting["subjects"].as_array().unwrap();
    subjects
        .iter()
        .map(|subject| subject.as_str().unwrap().to_owned())
        .collect()
}

/// Commands that destroy a file's content and that no list of patterns can cover.
const WAYS: [&str; 22] = [
    "awk 'BEGIN { print \"x\" > \"src/shop.py\" }'",
    "sed -n 'w src/shop.py' src/util.py",
    "find src -name util.py -fprint src/shop.py",
    "git log --oneline --output=src/shop.py",
    "git archive -o src/shop.py HEAD notes.md",
    "python3 -m zipfile -c src/shop.py notes.md",
    "diff -u src/shop.py /dev/null > build/p; patch -s src/shop.py build/p || true",
    "printf 'import os\\nos.replace(\"src/util.py\", \"src/shop.py\")\\n' > build/s.py; python3 build/s.py",
    "python3 -c \"getattr(__import__('o'+'s'), 're'+'move')('src/shop.py')\"",
    "python3 -c \"import pathlib; p = pathlib.Path('src/shop.py'); p.write_text(p.read_text()[:40])\"",
    "sed -i '4,$d' src/shop.py",
    "sed -i 's/.*/# gone/' src/shop.py",
    "sed -i 1,90d src/shop.py",
    "perl -ni -e 'print if $. < 5' src/shop.py",
    "perl -e 'my $f = join(\"/\", \"src\", \"shop.py\"); open(my $h, \">\", $f); close $h'",
    "head -3 src/shop.py > build/h; cat build/h | python3 -c \"import sys, shutil; shutil.copyfile('build/h', 'src/shop.py')\"",
    "f=$(printf 'src/%s' shop.py); python3 -c 'import sys; open(sys.argv[1], sys.argv[2])' $f w",
    "X=r; Y=m; python3 -c \"import os, sys; os.execvp(''.join(sys.argv[1:3]), ['x', 'src/shop.py'])\" $X $Y",
    "python3 - <<'END'\nfrom os import rename\nrename('src/shop.py', 'build/shop.py')\nEND",
    "git show HEAD:src/util.py | python3 -c \"import sys; sys.stdout = open('src/shop.py', 'a'); sys.stdout.truncate(0)\"",
    "python3 -c \"import gzip; d = open('src/shop.py', 'rb').read(); open('src/shop.py', 'rb+').write(gzip.compress(d) + b'0' * len(d))\"",
    "for i in 1 2 3 4 5 6 7 8; do sed -i 1,12d src/shop.py; done",
];

#[test]
fn however_a_command_takes_a_file_away_the_run_asks_before_it_goes_on_and_a_no_puts_it_back() {
    let home = Home::new();
    let mut measured = 0;
    for way in WAYS {
        let project = shop();
        planned(&project, &[&[way], &["touch after"]]);
        let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
        let lost = lost(&ran);
        assert!(
            lost.iter().any(|subject| subject.contains("src/shop.py")),
            "{way}: {lost:?}"
        );
        assert!(!project.at("after").exists(), "{way}: nothing else runs");
        let is_untouched = std::fs::read(project.at("src/shop.py"))
            .is_ok_and(|held| held == module(20).as_bytes());
        // For the few commands that match a known pattern, the run asks before it starts them.
        measured += usize::from(!is_untouched);
        let no = Answers::new().permit("run_command", &format!("exact {way}"), "no");
        let refused = resume(&home, &project, &run_id(&ran), &no).expect(4);
        assert_eq!(refused.events("task")[0]["state"], "refused", "{way}");
        assert_eq!(project.read("src/shop.py"), module(20), "{way}");
        assert!(!project.at("after").exists(), "{way}");
    }
    assert!(measured >= 15, "{measured}");
}

#[test]
fn a_loss_in_many_small_commands_or_steps_or_runs_is_asked_about_where_it_has_become_one() {
    let home = Home::new();
    // Six commands in one step.
    let project = shop();
    let bit = "sed -i 1,10d src/shop.py";
    planned(&project, &[&[bit; 6]]);
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    assert!(lost(&ran)[0].contains("src/shop.py"));
    // One command in each of six steps.
    let project = shop();
    let one: &[&str] = &[bit];
    planned(&project, &[one; 6]);
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    assert!(lost(&ran)[0].contains("src/shop.py"));
    // One run per step.
    let project = shop();
    planned(&project, &[one; 6]);
    let asked = (1..=6).any(|step| {
        let upto = format!("T{step}");
        let more = [REASON[0], REASON[1], "--upto", &upto];
        let ran = run(&home, &project, "plans/p.md", &more);
        let is_asked = !ran.events("waiting").is_empty();
        if !is_asked {
            ran.expect(0);
        }
        is_asked
    });
    assert!(asked, "{}", project.read("src/shop.py"));
}

#[test]
fn a_yes_keeps_what_the_command_did_and_the_receipt_says_so() {
    let home = Home::new();
    let project = shop();
    let command = "sed -i '4,$d' src/shop.py";
    planned(&project, &[&[command], &["touch after"]]);
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    let message = ran.events("waiting")[0]["message"].to_string();
    assert!(message.contains("19 of its 20 definitions"), "{message}");
    // The next process asks the same question again, and nothing runs in between.
    let again = resume(&home, &project, &run_id(&ran), &Answers::new()).expect(3);
    assert_eq!(again.events("waiting")[0]["for"], "destructive");
    assert!(!project.at("after").exists());
    let yes = Answers::new().permit("run_command", &format!("exact {command}"), "once");
    resume(&home, &project, &run_id(&ran), &yes).expect(0);
    assert!(project.at("after").exists());
    assert_eq!(project.read("src/shop.py").lines().count(), 3);
    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ran), "--json"])
        .expect(0)
        .last_json();
    let notes = receipt["notes"].to_string();
    assert!(notes.contains("src/shop.py"), "{receipt}");
}

#[test]
fn what_loses_nothing_is_never_asked_about() {
    let home = Home::new();
    let honest: [&str; 14] = [
        "python3 -c \"import re; t = open('src/shop.py').read(); open('src/shop.py', 'r+').write(re.sub('    ', '\\t', t) + ' ' * 0)\" && python3 -c \"t = open('src/shop.py').read()\"",
        "sed -i 's/total/result/' src/shop.py",
        "sed -i 's/^\\( *\\)total = value/\\1total=value/' src/shop.py",
        "git mv src/shop.py src/store.py",
        "mkdir lib && mv src/shop.py lib/shop.py",
        "mkdir lib && mv src lib/src",
        "sed -i 1,4d src/shop.py",
        "printf 'def new():\\n    return 2\\n' >> src/shop.py",
        "python3 -c \"open('build/out.log', 'r+').truncate()\"",
        "find build -name none -fprint build/out.log",
        "seq 50 > made.txt; python3 -c \"open('made.txt', 'r+').truncate(0)\"",
        "mkdir -p node_modules/x target/debug && seq 99 > target/debug/a && python3 -c \"import shutil; shutil.move('target', 'build/t')\"",
        "python3 -c \"t = open('src/shop.py').read(); a, b = t[:400], t[400:]; open('src/first.py', 'x').write(a); open('src/second.py', 'x').write(b); import pathlib; pathlib.Path('src/shop.py').rename('src/third.py')\"",
        "python3 -c \"t = sorted(open('src/shop.py').read().split('\\n\\n\\n')); open('src/shop.py', 'r+').write('\\n\\n\\n'.join(t))\"",
    ];
    for command in honest {
        let project = shop();
        planned(&project, &[&[command], &["touch after"]]);
        let ran = run(&home, &project, "plans/p.md", &REASON);
        assert!(
            ran.events("waiting").is_empty(),
            "{command}: {:?}",
            ran.events("waiting")
        );
        ran.expect(0);
        assert!(project.at("after").exists(), "{command}");
    }
}

#[test]
fn a_person_who_agreed_before_is_not_asked_again() {
    let home = Home::new();
    let project = shop();
    planned(&project, &[&["rm src/shop.py"]]);
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    assert!(project.at("src/shop.py").exists(), "asked before it ran");
    let yes = Answers::new().permit("run_command", "exact rm src/shop.py", "once");
    resume(&home, &project, &run_id(&ran), &yes).expect(0);

    // The deletion counts as intended only if the step's own text or a checkpoint names the file.
    for (words, is_asked) in [
        ("Delete src/shop.py with the script", false),
        ("Tidy the folder with the script", true),
    ] {
        let project = shop().file("tidy.py", "import os\nos.remove('src/' + 'shop.py')\n");
        planned(&project, &[&["python3 tidy.py"]]);
        let text = project.read("plans/p.md");
        let text = text.replace("Go on with part 1 of the work by a command", words);
        project.write("plans/p.md", text);
        let ran = run(&home, &project, "plans/p.md", &REASON);
        assert_eq!(!ran.events("waiting").is_empty(), is_asked, "{words}");
    }
}

#[test]
fn a_model_whose_command_takes_a_file_away_goes_on_only_after_a_yes() {
    let command = "python3 tidy.py";
    let server = ModelServer::start(Scenario::new([
        Turn::call("run_command", json!({ "command": command })),
        Turn::call(
            "write_file",
            json!({"path": "NOTES.md", "content": "tidy\n"}),
        ),
    ]));
    let home = home_with(&server);
    let project = shop().file("tidy.py", "import os\nos.remove('src/' + 'shop.py')\n");
    planned(&project, &[]);
    let plan = "# Note\n\n## Tasks\n- [ ] **T1** Note what is tidy, after `python3 tidy.py`\n  - files: `NOTES.md`\n  - verify: `test -s NOTES.md`\n";
    project.write("plans/p.md", plan);
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    assert!(lost(&ran)[0].contains("src/shop.py"));
    assert!(!project.at("NOTES.md").exists());
    let yes = Answers::new().permit("run_command", &format!("exact {command}"), "once");
    resume(&home, &project, &run_id(&ran), &yes).expect(0);
    server.finished();
}

#[test]
fn a_comment_in_the_place_of_the_work_is_not_done() {
    for (content, exit) in [
        ("# parser goes here\n", 6),
        ("def parse(text):\n    return text.split()\n", 0),
    ] {
        let server = ModelServer::start(Scenario::new([
            Turn::call(
                "write_file",
                json!({"path": "src/parser.py", "content": content}),
            ),
            Turn::call(
                "report_progress",
                json!({"summary": "wrote the parser", "done": true, "learned": []}),
            )
            // The model is told what is missing, and repeats its report once.
            .times(2),
        ]));
        let home = home_with(&server);
        let project = shop();
        planned(&project, &[]);
        project.write(
            "plans/p.md",
            "# Parse\n\n## Tasks\n- [ ] **T1** Write the parser\n  - files: `src/parser.py`\n",
        );
        let ran = run(&home, &project, "plans/p.md", &REASON);
        let asked = ran.events("waiting");
        assert_eq!(asked.is_empty(), exit == 0, "{content}: {asked:?}");
        ran.expect(exit);
    }
}

#[test]
fn a_check_that_takes_a_file_away_is_asked_about_too() {
    let home = Home::new();
    let project = shop();
    project.write(
        "check.py",
        "import os\nos.path.exists('go') and os.remove('src/' + 'shop.py')\n",
    );
    planned(&project, &[&["touch go"], &["touch after"]]);
    let text = project.read("plans/p.md");
    let check = "  - verify: `python3 check.py`\n- [ ] **T2**";
    project.write("plans/p.md", text.replace("- [ ] **T2**", check));
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    assert!(lost(&ran)[0].contains("src/shop.py"));
    assert!(!project.at("after").exists());
    let no = Answers::new().permit("run_command", "exact python3 check.py", "no");
    resume(&home, &project, &run_id(&ran), &no).expect(4);
    assert_eq!(project.read("src/shop.py"), module(20));
}

#[test]
fn a_check_before_the_first_edit_or_run_again_later_is_asked_about_and_a_no_puts_back_what_it_did()
{
    // The check deletes the file before the first step, or after a later step.
    for when in ["True", "os.path.exists('second')"] {
        let home = Home::new();
        let project = shop();
        let check = format!(
            "import os\nif {when} and os.path.exists('src/' + 'shop.py'):\n    os.remove('src/' + 'shop.py')\n"
        );
        project.write("check.py", &check);
        planned(&project, &[&["touch first"], &["touch second"]]);
        let text = project.read("plans/p.md");
        let checked = "  - verify: `python3 check.py`\n- [ ] **T2**";
        project.write("plans/p.md", text.replace("- [ ] **T2**", checked));
        let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
        assert!(lost(&ran)[0].contains("src/shop.py"), "{when}");
        let is_later = project.at("second").exists();
        assert_eq!(
            (project.at("first").exists(), is_later),
            (when != "True", when != "True")
        );
        let no = Answers::new().permit("run_command", "exact python3 check.py", "no");
        resume(&home, &project, &run_id(&ran), &no).expect(4);
        assert_eq!(project.read("src/shop.py"), module(20), "{when}");
        // Only the check's changes were undone, not the steps' work.
        assert_eq!(project.at("second").exists(), is_later, "{when}");
        assert_eq!(project.at("first").exists(), is_later, "{when}");
    }
}
