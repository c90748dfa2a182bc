//! After `kill -9` at any moment, nothing is lost and nothing happens twice.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use planwright_tests::{Answers, Home, Output, Project, planwright_binary, wait_until};
use workbench::{CancelToken, Effect, EndState, Environment, ResumeRequest, RunRequest, Workbench};

use crate::{revision, run_id};

/// A plan with every kind of side effect, each of which would leave a trace if it were repeated.
const PLAN: &str = "\
# Touch everything once

## Tasks
- [ ] **T1** Look at what the folder holds
  - call: `list_files {}`
- [ ] **T2** Write a file and change another
  - call: `write_file {\"path\": \"new.txt\", \"content\": \"new\\n\"}`
  - call: `edit_file {\"path\": \"old.txt\", \"old_text\": \"one\", \"new_text\": \"one two\"}`
- [ ] **T3** Append a line with a command
  - call: `run_command {\"command\": \"sh -c 'echo begin >> log.txt; sleep 0.02; echo end >> log.txt'\"}`
  - verify: `test -f log.txt`
- [ ] **T4** Delete what is no longer needed
  - call: `delete_file {\"path\": \"gone.txt\"}`
- [ ] **D1** Which ending is it to have?
  - type: decision
  - option: The short one -> T5
  - option: The long one -> T6
- [ ] **T5** Write the short ending of it
  - depends: D1
  - call: `run_command {\"command\": \"sh -c 'echo short >> log.txt'\"}`
- [ ] **T6** Write the long ending of it
  - depends: D1
  - call: `run_command {\"command\": \"sh -c 'echo long >> log.txt'\"}`
";

fn project() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("old.txt", "one\n")
        .file("gone.txt", "x\n")
}

fn answers(home: &Home) -> String {
    let answers = Answers::new()
        .choose("D1", "The short one")
        .permit("delete_file", "exact gone.txt", "once")
        .unknown("check");
    answers.write_to(home.path()).to_str().unwrap().to_owned()
}

/// All files in the project, without Git's data and the record of an open run.
pub(crate) fn state_of(project: &Project) -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(project.path(), project.path(), &mut files);
    files.sort();
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // An interrupted run leaves its record here for programs with another data folder.
        if path.ends_with(".git") || path.ends_with(".planwright/run") {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn undisturbed() -> Vec<(String, String)> {
    let (home, project) = (Home::new(), project());
    let answers = answers(&home);
    crate::run(&home, &project, "plans/p.md", &["--answers", &answers]).expect(0);
    let state = state_of(&project);
    let log = &state.iter().find(|(name, _)| name == "log.txt").unwrap().1;
    assert_eq!(log, "begin\nend\nshort\n");
    state
}

fn resume(home: &Home, project: &Project, id: &str, answers: &str) -> Output {
    home.planwright(project, ["resume", id, "--answers", answers, "--json"])
}

#[test]
fn killed_at_twenty_moments_a_run_ends_as_if_undisturbed() {
    let expected = undisturbed();
    // Measures the duration of a run on this machine, over which the kills are spread.
    let began = std::time::Instant::now();
    undisturbed();
    let whole = began.elapsed();
    for moment in 1..=20_u32 {
        let (home, project) = (Home::new(), project());
        let approved = revision(&home, &project, "plans/p.md");
        let answers = answers(&home);
        let running = home.spawn(
            &project,
            [
                "run",
                "plans/p.md",
                "--approve",
                &approved,
                "--answers",
                &answers,
                "--json",
            ],
        );
        let killed = running.kill_9_after(whole * moment / 20);
        if killed.stdout.is_empty() {
            // The process was killed before the run started, so nothing may have changed.
            assert_eq!(
                state_of(&project),
                state_of(&self::project()),
                "moment {moment}"
            );
            continue;
        }
        resume(&home, &project, &run_id(&killed), &answers).expect(0);
        assert_eq!(
            state_of(&project),
            expected,
            "moment {moment} of 20 in {whole:?}"
        );
    }
}

/// Runs the plan in this process and aborts it before the effect with a given number. Returns the
/// number of effects, and whether the run ended on its own.
fn play(
    home: &Home,
    project: &Project,
    break_before: Option<usize>,
    step: impl FnOnce(&mut Workbench, &CancelToken) -> workbench::Result<EndState>,
) -> (usize, workbench::Result<EndState>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let watch = move |_: &Effect| {
        if break_before == Some(counted.load(Ordering::SeqCst)) {
            return ControlFlow::Break(());
        }
        counted.fetch_add(1, Ordering::SeqCst);
        ControlFlow::Continue(())
    };
    let ended = play_watched(home, project, watch, step);
    (count.load(Ordering::SeqCst), ended)
}

/// Runs the plan in this process; `watch` is called before each effect and may abort the run.
pub(crate) fn play_watched(
    home: &Home,
    project: &Project,
    watch: impl FnMut(&Effect) -> ControlFlow<()> + Send + 'static,
    step: impl FnOnce(&mut Workbench, &CancelToken) -> workbench::Result<EndState>,
) -> workbench::Result<EndState> {
    let environment = Environment {
        variables: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| !name.starts_with("PLANWRIGHT_"))
            .chain([("PLANWRIGHT_HOME".to_owned(), home.path().into())])
            .chain(
                home.variables()
                    .map(|(name, value)| (name.to_owned(), value.into())),
            )
            .collect(),
        cwd: project.path().to_owned(),
        program: planwright_binary().to_owned(),
    };
    let (mut bench, _) = Workbench::open(environment).unwrap();
    bench.watch(Box::new(watch));
    let cancel = CancelToken::new().unwrap();
    step(&mut bench, &cancel)
}

fn begin(home: &Home, project: &Project, break_before: Option<usize>) -> (usize, Option<EndState>) {
    let request = RunRequest {
        file: "plans/p.md".into(),
        revision: revision(home, project, "plans/p.md"),
        workspace: None,
        policy: None,
        upto: None,
        answers: Some(answers(home).into()),
        reason: None,
        parallel: 1,
        model: workbench::ModelChoice::Configured,
        choice: workbench::RunChoice::default(),
        hand_over: None,
    };
    let (count, ended) = play(home, project, break_before, |bench, cancel| {
        bench.run(&request, cancel, &mut |_| {})
    });
    (count, ended.ok())
}

pub(crate) fn the_run(home: &Home, project: &Project) -> String {
    let runs = home.planwright(project, ["runs", "--json"]).expect(0);
    runs.json()[0]["run"].as_str().unwrap().to_owned()
}

#[test]
fn cut_between_every_two_effects_a_run_ends_as_if_undisturbed() {
    let expected = undisturbed();
    let (effects, ended) = begin(&Home::new(), &project(), None);
    assert_eq!(ended, Some(EndState::Done));
    assert!(effects > 30, "{effects}");
    for at in 0..effects {
        let (home, project) = (Home::new(), project());
        assert_eq!(begin(&home, &project, Some(at)), (at, None));
        let request = ResumeRequest {
            run: the_run(&home, &project),
            answers: Some(answers(&home).into()),
            model: workbench::ModelChoice::Configured,
            hand_over: None,
        };
        let (_, ended) = play(&home, &project, None, |bench, cancel| {
            bench.resume(&request, cancel, &mut |_| {})
        });
        assert_eq!(ended.unwrap(), EndState::Done, "aborted before effect {at}");
        assert_eq!(state_of(&project), expected, "aborted before effect {at}");
    }
}

/// Whether `.planwright` contains nothing except `run`, the record of the interrupted run.
fn is_tidy(project: &Project) -> bool {
    let left = std::fs::read_dir(project.at(".planwright"))
        .into_iter()
        .flatten();
    left.flatten().all(|entry| entry.file_name() == "run")
}

#[test]
fn killed_inside_a_command_it_asks_and_changes_nothing_more() {
    let home = Home::new();
    let plan = "# Append for a while\n\n- [ ] **T1** Append a line, wait, append another\n  - call: `run_command {\"command\": \"sh -c 'echo begin >> log.txt; sleep 1000; echo end >> log.txt'\"}`\n- [ ] **T2** Write a file after the command\n  - call: `write_file {\"path\": \"after.txt\", \"content\": \"\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let approved = revision(&home, &project, "plans/p.md");
    let running = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    planwright_tests::wait_until("the command's first line", || {
        project.at("log.txt").exists()
    });
    let killed = running.kill_9();
    let id = run_id(&killed);

    // The command's helper process keeps running until it has cleaned up.
    planwright_tests::wait_until("the helper to tidy up", || is_tidy(&project));
    let before = project.snapshot();
    let asked = home
        .planwright(&project, ["resume", &id, "--json"])
        .expect(3);
    assert_eq!(asked.events("waiting")[0]["for"], "unknown");
    assert_eq!(
        asked.events("waiting")[0]["options"],
        serde_json::json!(["check", "repeat", "skip"])
    );
    let asked = asked.events("waiting")[0]["message"].to_string();
    assert!(asked.contains("Changed: log.txt"), "{asked}");
    assert_eq!(before.contents(), project.snapshot().contents());

    let skip = Answers::new().unknown("skip").write_to(home.path());
    let skipped = home.planwright(
        &project,
        ["resume", &id, "--answers", skip.to_str().unwrap(), "--json"],
    );
    // The run asks before it runs a step that depends on a skipped one.
    assert_eq!(
        skipped.expect(3).events("waiting")[0]["for"],
        "skipped_dependency"
    );
    assert!(!project.at("after.txt").exists());
}

#[test]
fn a_half_done_command_is_taken_back_before_it_runs_again() {
    let home = Home::new();
    let plan = "# Append until told to stop\n\n- [ ] **T1** Append a line, wait for go, append another\n  - call: `run_command {\"command\": \"sh -c 'echo begin >> log.txt; while [ ! -e /tmp/never -a ! -e go ]; do sleep 0.02; done; echo end >> log.txt'\"}`\n";
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("log.txt", "earlier\n");
    let approved = revision(&home, &project, "plans/p.md");
    let running = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    planwright_tests::wait_until("the command's first line", || {
        project.read("log.txt") == "earlier\nbegin\n"
    });
    let id = run_id(&running.kill_9());
    let answers = Answers::new().unknown("check").write_to(home.path());
    let mut resumed = home.spawn(
        &project,
        [
            "resume",
            &id,
            "--answers",
            answers.to_str().unwrap(),
            "--json",
        ],
    );
    resumed.wait_for("the command to begin again", |event| {
        event["phase"] == "tool_calling"
    });
    project.write("go", "");
    resumed.finish().expect(0);
    assert_eq!(project.read("log.txt"), "earlier\nbegin\nend\n");
}

#[test]
fn a_killed_run_leaves_no_process_behind() {
    let home = Home::new();
    let mark = format!("7{:07}", std::process::id());
    let plan = format!(
        "# Leave something behind\n\n- [ ] **T1** Start a process that would outlive the command\n  - call: `run_command {{\"command\": \"sh -c 'setsid sleep {mark} & sleep {mark}'\"}}`\n"
    );
    let project = Project::new().file("plans/p.md", &plan);
    let approved = revision(&home, &project, "plans/p.md");
    let running = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    let alive = || !planwright_tests::processes_with(&mark).is_empty();
    planwright_tests::wait_until("the process", alive);
    running.kill_9();
    planwright_tests::wait_until("the process to end", || !alive());
}

#[test]
fn a_run_cut_off_before_its_first_entry_begins_on_its_approval() {
    let (home, project) = (Home::new(), project());
    let approved = revision(&home, &project, "plans/p.md");
    let plan = project
        .at("plans/p.md")
        .canonicalize()
        .unwrap()
        .display()
        .to_string();
    let workspace = project.path().canonicalize().unwrap().display().to_string();
    let (store, _) = store::Store::open(&home.path().join("data"), 0).unwrap();
    let approval = store::NewApproval {
        plan: &plan,
        revision: &approved,
        run: Some("cutoff00"),
        actor: "person",
        policy: "all",
        upto: Some("T2"),
        reason: None,
        at_ms: 0,
        shown_ms: None,
    };
    store.approvals().add(&approval).unwrap();
    let run = store::NewRun {
        id: "cutoff00",
        plan: &plan,
        workspace: &workspace,
        revision: &approved,
        policy: "all",
        state: "created",
        title: "Touch everything once",
        at_ms: 0,
    };
    store.runs().create(&run).unwrap();
    drop(store);
    let runs = home.planwright(&project, ["runs", "--json"]).expect(0);
    assert_eq!(runs.json()[0]["state"], "interrupted");
    resume(&home, &project, "cutoff00", &answers(&home)).expect(0);
    assert_eq!(project.read("new.txt"), "new\n");
    assert!(
        !project.at("log.txt").exists(),
        "only what was approved ran"
    );
}

#[test]
fn after_a_damaged_database_no_step_is_repeated_on_a_guess() {
    let home = Home::new();
    let plan = "# Wait, then append\n\n- [ ] **T1** Say that it may go on\n  - by: person\n- [ ] **T2** Append a line to the log\n  - call: `run_command {\"command\": \"sh -c 'echo line >> log.txt'\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    // When the program exits normally, it leaves a backup that contains the run up to this point.
    let waiting = crate::run(&home, &project, "plans/p.md", &[]).expect(3);
    let id = run_id(&waiting);
    let data = home.path().join("data");
    let copy = std::fs::read_dir(data.join("backups")).unwrap().count();
    assert!(copy > 0);
    std::fs::write(data.join("planwright.db"), "not a database any more").unwrap();

    let answers = Answers::new()
        .done("T1", "go")
        .unknown("check")
        .write_to(home.path());
    let answers = answers.to_str().unwrap();
    let resumed = home.planwright(&project, ["resume", &id, "--answers", answers, "--json"]);
    let resumed = resumed.expect(3);
    assert!(resumed.stderr.contains("damaged"), "{}", resumed.stderr);
    assert_eq!(resumed.events("waiting")[0]["for"], "unknown");
    assert!(!project.at("log.txt").exists());
}

#[test]
fn whatever_becomes_of_the_database_a_payment_that_was_cut_off_is_not_made_again() {
    let plan = "# Pay\n\n- [ ] **T1** Pay\n  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt; sleep 60'\"}`\n";
    type Harm = fn(&std::path::Path);
    let harms: [(&str, Harm); 4] = [
        ("no file", |data| {
            for file in ["planwright.db", "planwright.db-wal", "planwright.db-shm"] {
                let _ = std::fs::remove_file(data.join(file));
            }
        }),
        ("no log of writes", |data| {
            let _ = std::fs::remove_file(data.join("planwright.db-wal"));
            let _ = std::fs::remove_file(data.join("planwright.db-shm"));
        }),
        ("garbage", |data| {
            std::fs::write(data.join("planwright.db"), "no database").unwrap();
        }),
        ("neither it nor a backup", |data| {
            std::fs::remove_dir_all(data.join("backups")).unwrap();
            std::fs::write(data.join("planwright.db"), "no database").unwrap();
        }),
    ];
    for (harm, done) in harms {
        let home = Home::new();
        let project = Project::new().file("plans/p.md", plan);
        let revision = crate::revision(&home, &project, "plans/p.md");
        let run = ["run", "plans/p.md", "--approve", &revision, "--json"];
        let mut running = home.spawn(&project, run);
        let id = running.wait_for_event("started")["run"]
            .as_str()
            .unwrap()
            .to_owned();
        // Waits for the content too, because the shell creates the file before it writes to it.
        wait_until("the payment", || {
            project.at("paid.txt").exists() && project.read("paid.txt") == "PAID\n"
        });
        running.kill_9();
        done(&home.path().join("data"));

        let again = home.planwright(&project, run);
        assert_ne!(again.status, 0, "{harm}: {}", again.shown());
        assert!(again.shown().contains(&id), "{harm}: {}", again.shown());
        let resumed = home
            .planwright(&project, ["resume", &id, "--json"])
            .expect(3);
        let waiting = &resumed.events("waiting")[0];
        assert_eq!(waiting["for"], "unknown", "{harm}");
        let asked = waiting["message"].as_str().unwrap();
        assert!(!asked.contains("No files changed"), "{harm}: {asked}");
        assert_eq!(project.read("paid.txt"), "PAID\n", "{harm}");
    }
}

#[test]
fn what_a_kill_inside_a_write_of_the_plan_left_is_tidied_up() {
    let home = Home::new();
    let plan = "# Look, then wait\n\n- [ ] **T1** Look at what the folder holds\n  - call: `list_files {}`\n- [ ] **T2** Say that it may go on\n  - by: person\n";
    let project = Project::new().file("plans/p.md", plan);
    let id = run_id(&crate::run(&home, &project, "plans/p.md", &[]).expect(3));
    // Recreates the state after the two files were swapped and before the old one was deleted.
    let hash = |text: &str| Some(tools::ContentHash::of(text.as_bytes()));
    let ticked = project.read("plans/p.md");
    let left = tools::atomic::temp_name("plans/p.md", hash(plan), hash(&ticked));
    project.write(&format!("plans/{left}"), plan);
    let answers = Answers::new().done("T2", "go").write_to(home.path());
    let answers = answers.to_str().unwrap();
    home.planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(0);
    assert_eq!(std::fs::read_dir(project.at("plans")).unwrap().count(), 1);
    assert_eq!(project.read("plans/p.md").matches("- [x]").count(), 2);
}
