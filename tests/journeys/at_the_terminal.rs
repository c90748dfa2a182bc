//! In a terminal, a run asks its questions interactively, shows its progress, and colors the
//! results.

use planwright_tests::{AtTerminal, Home, Project};

use crate::revision;

const PERSON: &str = "\
# Two steps

- [ ] **T1** Choose the colors
  The brand book has them.
  - by: person
- [ ] **T2** Make a file
  - call: `write_file {\"path\": \"two.txt\", \"content\": \"T2\\n\"}`
";

const DESTRUCTIVE: &str = "\
# Clean up

- [ ] **T1** Remove the old data
  It was copied to the archive.
  - call: `run_command {\"command\": \"rm -r data\"}`
";

fn run_at_terminal(home: &Home, project: &Project, more: &[&str]) -> AtTerminal {
    let revision = revision(home, project, "plans/p.md");
    let mut arguments = vec!["run", "plans/p.md", "--approve", &revision];
    arguments.extend(more);
    AtTerminal::start(home, project, arguments)
}

#[test]
fn a_person_is_asked_at_the_terminal_and_the_run_continues() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PERSON);
    let mut terminal = run_at_terminal(&home, &project, &[]);
    terminal.wait_for("The brand book has them.");
    terminal.wait_for("1. Done");
    terminal.wait_for("Answer (1-2): ");
    terminal.press("\n");
    terminal.wait_for("No answer entered");
    terminal.wait_for("Answer (1-2): ");
    terminal.press("maybe\n");
    terminal.wait_for("expected one of: Done, Skip");
    terminal.wait_for("Answer (1-2): ");
    terminal.press("1\n");
    terminal.wait_for("What was done (optional): ");
    terminal.press("chose red\n");
    terminal.wait_for("planwright undo ");
    let screen = terminal.expect(0);
    assert_eq!(screen.matches("? T1  person").count(), 1, "{screen}");
    assert_eq!(project.read("two.txt"), "T2\n");
    assert!(project.read("plans/p.md").contains("- [x] **T1**"));
}

#[test]
fn a_destructive_step_is_shown_whole_and_enter_never_allows_it() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", DESTRUCTIVE)
        .file("data/a.txt", "a\n")
        .git();
    let reason = ["--reason", "the data has a copy"];
    let mut terminal = run_at_terminal(&home, &project, &reason);
    terminal.wait_for("rm -r data");
    terminal.wait_for("- data/ (1 file)");
    terminal.wait_for("It was copied to the archive.");
    terminal.wait_for("1. once");
    for _ in 0..3 {
        terminal.wait_for("Answer (1-3): ");
        terminal.press("\n");
        terminal.wait_for("No answer entered");
    }
    assert!(project.at("data/a.txt").exists());
    terminal.wait_for("Answer (1-3): ");
    terminal.press("\u{4}");
    terminal.wait_for("planwright answer ");
    terminal.expect(3);
    assert!(project.at("data/a.txt").exists());

    let mut terminal = run_at_terminal(&home, &project, &reason);
    terminal.wait_for("Answer (1-3): ");
    terminal.press("once\n");
    terminal.expect(0);
    assert!(!project.at("data/a.txt").exists());
}

#[test]
fn ctrl_c_at_a_question_leaves_the_run_waiting() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PERSON);
    let mut terminal = run_at_terminal(&home, &project, &[]);
    terminal.wait_for("Answer (1-2): ");
    terminal.press("\u{3}");
    terminal.expect(3);
    assert!(!project.at("two.txt").exists());
}

#[test]
fn nobody_is_asked_with_json_or_without_a_terminal() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PERSON);
    let screen = run_at_terminal(&home, &project, &["--json"]).expect(3);
    assert!(!screen.contains("Answer ("), "{screen}");
    assert!(!screen.contains('\u{1b}'), "{screen}");
    let revision = revision(&home, &project, "plans/p.md");
    let run = home.planwright(&project, ["run", "plans/p.md", "--approve", &revision]);
    let run = run.expect(3);
    assert!(!run.shown().contains("Answer ("), "{}", run.shown());
}

const SLOW: &str = "\
# Slow

- [ ] **T1** Take a while
  - call: `run_command {\"command\": \"sh -c 'sleep 2; echo made > made.txt'\"}`
";

#[test]
fn a_long_step_shows_its_time_and_verdicts_are_colored() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", SLOW);
    let screen = run_at_terminal(&home, &project, &[]).expect(0);
    assert!(screen.contains(" T1 1."), "{screen:?}");
    assert!(screen.contains("\u{1b}[32mdone\u{1b}[0m (2."), "{screen:?}");
    // The spinner is erased before each line.
    let lines = screen.lines().filter(|line| line.contains("T1 1."));
    for line in lines {
        let after = line.rsplit("\r\u{1b}[K").next().unwrap_or_default();
        assert!(!after.contains(" T1 1."), "{line:?}");
    }

    let plain = Home::new().with_env("NO_COLOR", "1");
    let project = Project::new().file("plans/p.md", PERSON.replace("by: person", "why: ours"));
    let mut terminal = run_at_terminal(&plain, &project, &["--offline"]);
    terminal.wait_for("Answer (");
    terminal.press("\u{4}");
    let screen = terminal.expect(3);
    assert!(!screen.contains("\u{1b}[3"), "{screen:?}");
}

#[test]
fn colors_can_be_forced_and_never_reach_json() {
    let home = Home::new().with_env("CLICOLOR_FORCE", "1");
    let project = Project::new().file("plans/p.md", PERSON);
    let checked = home.planwright(&project, ["check", "plans/p.md"]);
    assert!(checked.stdout.contains("\u{1b}[3"), "{}", checked.shown());
    let checked = home.planwright(&project, ["check", "plans/p.md", "--json"]);
    assert!(!checked.stdout.contains('\u{1b}'), "{}", checked.shown());
}
