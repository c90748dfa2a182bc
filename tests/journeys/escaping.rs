//! Attempts to escape from the sandbox: each is blocked in every tier that this machine supports.

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use planwright_tests::{Home, Project};

use crate::run;

/// The output of the `sandbox` command, as JSON.
fn sandbox(home: &Home) -> serde_json::Value {
    let project = Project::new();
    home.planwright(&project, ["sandbox", "--json"])
        .expect(0)
        .last_json()
}

/// The tiers that can be tested here; a machine without user namespaces has only the second.
pub(crate) fn tiers() -> Vec<&'static str> {
    ["bubblewrap", "landlock"]
        .into_iter()
        .filter(|tier| {
            let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
            let report = sandbox(&home);
            report["tier"] == *tier
        })
        .collect()
}

#[test]
fn the_probe_tries_every_way_out_and_says_so() {
    let tiers = tiers();
    assert!(!tiers.is_empty(), "no sandbox works on this machine");
    for tier in tiers {
        let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
        let report = sandbox(&home);
        let attempts = report["attempts"].as_array().unwrap();
        assert!(attempts.len() >= 12, "{attempts:?}");
        for attempt in attempts {
            assert_eq!(attempt["refused"], true, "{tier}: {attempt}");
        }
    }
}

#[test]
fn with_the_sandbox_taken_away_the_probe_says_none() {
    let home = Home::new().with_env("PLANWRIGHT_SANDBOX", "none");
    let report = sandbox(&home);
    assert_eq!(report["tier"], "none");
}

/// A program that makes all attempts and prints the ones that succeeded.
const ATTEMPTS: &str = r#"
import os, socket, subprocess, sys
outside, tcp, udp, sock = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
victim = os.path.join(outside, "victim")
def attempt(name, action):
    try:
        action()
        print("ESCAPED", name)
    except Exception as error:
        print("refused", name, error)
def send(kind, port):
    s = socket.socket(socket.AF_INET, kind)
    s.settimeout(0.5)
    s.connect(("127.0.0.1", port))
    s.send(b"hello")
def unix():
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.connect(sock)
def swap():
    os.symlink(victim, "swapped")
    open("swapped", "w").write("evil")
attempt("open", lambda: open(victim, "w").write("evil"))
attempt("create", lambda: open(os.path.join(outside, "new"), "w").write("evil"))
attempt("truncate", lambda: os.truncate(victim, 0))
attempt("chmod", lambda: os.chmod(victim, 0o777))
attempt("utime", lambda: os.utime(victim, (1, 1)))
attempt("xattr", lambda: os.setxattr(victim, "user.evil", b"1"))
attempt("unlink", lambda: os.unlink(victim))
attempt("rename", lambda: os.rename(victim, victim + "2"))
attempt("symlink", swap)
attempt("hardlink", lambda: (os.link(victim, "linked"), open("linked", "w").write("evil")))
attempt("tcp", lambda: send(socket.SOCK_STREAM, tcp))
attempt("unix", unix)
attempt("hooks", lambda: open(".git/hooks/pre-commit", "w").write("evil"))
attempt("config", lambda: open(".git/config", "a").write("[core]\n"))
attempt("settings", lambda: (os.makedirs(".planwright", exist_ok=True), open(".planwright/settings.json", "w").write("{}")))
attempt("plan", lambda: open("plans/p.md", "a").write("- [ ] more\n"))
try:
    send(socket.SOCK_DGRAM, udp)
except Exception:
    pass
subprocess.Popen(["setsid", "sh", "-c", "sleep 3; echo evil > left-behind; sleep " + sys.argv[5]])
"#;

#[test]
fn what_a_step_runs_cannot_get_out() {
    for tier in tiers() {
        let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
        let outside = Project::new().file("victim", "safe");
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();
        tcp.set_nonblocking(true).unwrap();
        let socket = outside.at("socket");
        let unix = UnixListener::bind(&socket).unwrap();
        unix.set_nonblocking(true).unwrap();
        let mark = format!("8{:07}", std::process::id());
        let command = format!(
            "python3 attempts.py {} {} {} {} {mark}",
            outside.path().display(),
            tcp.local_addr().unwrap().port(),
            udp.local_addr().unwrap().port(),
            socket.display(),
        );
        let plan = format!(
            "# Try every way out\n\n- [ ] **T1** Try every way out of the sandbox\n  - call: `run_command {{\"command\": \"{command}\"}}`\n"
        );
        // The top-level entries exist beforehand, because commands in the second tier can't create
        // new ones.
        let project = Project::new()
            .file("plans/p.md", &plan)
            .file("attempts.py", ATTEMPTS)
            .file("kept/x", "")
            .git();
        let before = outside.snapshot();
        let config = project.read(".git/config");
        let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
        let printed: String = ran
            .events("output")
            .iter()
            .map(|event| event["text"].as_str().unwrap().to_owned())
            .collect();
        assert!(
            printed.contains("refused open"),
            "{tier}: the attempts did not run: {printed}"
        );
        assert!(!printed.contains("ESCAPED"), "{tier}: {printed}");
        assert_eq!(before, outside.snapshot(), "{tier}");
        assert!(
            planwright_tests::processes_with(&mark).is_empty(),
            "{tier}: a process was left running"
        );
        assert!(!project.at("left-behind").exists(), "{tier}");
        assert!(tcp.accept().is_err() && unix.accept().is_err(), "{tier}");
        assert!(udp.recv(&mut [0; 8]).is_err(), "{tier}");
        assert_eq!(config, project.read(".git/config"), "{tier}");
        assert!(!project.at(".git/hooks/pre-commit").exists(), "{tier}");
        // The folder contains only the record of the open run.
        let kept = std::fs::read_dir(project.at(".planwright")).unwrap();
        let kept: Vec<_> = kept.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(kept, ["run"], "{tier}");
    }
}

#[test]
fn keys_in_the_environment_do_not_reach_a_command() {
    let home = Home::new()
        .with_env("PLANWRIGHT_API_KEY", "sk-secret")
        .with_env("AWS_SECRET_ACCESS_KEY", "aws-secret");
    let plan = "# Print the environment\n\n- [ ] **T1** Print every variable there is\n  - call: `run_command {\"command\": \"env\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
}

/// A repository with a worktree, a submodule and a nested repository, and a program that reports
/// that it ran.
fn grown(mark: &str) -> Project {
    let project = Project::new()
        .file("src/main.txt", "x\n")
        .file("src/evil.sh", format!("#!/bin/sh\necho ran > {mark}\n"))
        .git();
    let git = |folder: &str, arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments);
        let done = command.current_dir(project.at(folder)).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
    };
    std::fs::create_dir_all(project.at("nested")).unwrap();
    git("nested", &["init", "-q"]);
    git("nested", &["commit", "-qm", "one", "--allow-empty"]);
    git("", &["submodule", "--quiet", "add", "./nested", "libs/sub"]);
    git("", &["worktree", "add", "-q", "side"]);
    git("", &["add", "libs", "src"]);
    git("", &["commit", "-qm", "two"]);
    project
}

/// Attacks that make the user's next `git status` run a program. `CONF` prints Git settings that
/// name that program.
const FOR_THE_NEXT_GIT: [(&str, &str); 6] = [
    (
        "a moved HEAD",
        "mv .git/HEAD src/h; mkdir -p src/g/refs src/g/objects; CONF > src/g/config; echo $PWD/src/g > .git/commondir; mv src/h .git/HEAD",
    ),
    (
        "a worktree",
        "mkdir -p src/g/refs src/g/objects; CONF > src/g/config; echo $PWD/src/g > .git/worktrees/side/commondir",
    ),
    ("a submodule", "CONF >> .git/modules/libs/sub/config"),
    ("a nested repository", "CONF >> nested/.git/config"),
    (
        "a nested repository's hooks",
        "cp src/evil.sh nested/.git/hooks/post-index-change",
    ),
    (
        "a new repository",
        "git init -q src/new; CONF >> src/new/.git/config",
    ),
];

#[test]
fn nothing_that_a_step_leaves_runs_at_the_users_next_git() {
    for tier in tiers() {
        for kind in ["call", "verify"] {
            for (what, line) in FOR_THE_NEXT_GIT {
                let marks = Project::new();
                let mark = marks.at("ran");
                let project = grown(mark.to_str().unwrap());
                let evil = project.at("src/evil.sh");
                let conf = format!("printf '[core]\\nfsmonitor = {}\\n'", evil.display());
                let attack = format!(
                    "#!/bin/sh\nchmod +x src/evil.sh\n{}\ntrue\n",
                    line.replace("CONF", &conf)
                );
                let step = match kind {
                    "call" => "  - call: `run_command {\"command\": \"sh src/attack.sh\"}`\n".to_owned(),
                    _ => "  - call: `run_command {\"command\": \"true\"}`\n  - verify: `sh src/attack.sh`\n".to_owned(),
                };
                let plan = format!("# Attack\n\n- [ ] **T1** Run the attack from the file\n{step}");
                let project = project
                    .file("src/attack.sh", attack)
                    .file("plans/p.md", plan);
                let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
                run(&home, &project, "plans/p.md", &[]);
                for folder in ["", "nested", "libs/sub", "side", "src/new", "src"] {
                    if project.at(folder).is_dir() {
                        let status = std::process::Command::new("git")
                            .arg("status")
                            .current_dir(project.at(folder))
                            .output();
                        assert!(
                            status.is_ok() && !mark.exists(),
                            "{tier} {kind}: {what} in {folder}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_step_that_says_so_commits_in_each_tier_and_no_other_writes_to_the_repository() {
    for tier in tiers() {
        let commit = "git -c user.name=a -c user.email=a@b commit -qam three";
        let plan = format!(
            "# Commit\n\n- [ ] **T1** Commit the change\n  - call: `run_command {{\"command\": \"{commit}\"}}`\n"
        );
        let marks = Project::new();
        let project = grown(marks.at("ran").to_str().unwrap());
        // The file changes but its size and time don't, so that Git must read it to notice.
        let second = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        let at_once = |path: &str| {
            let file = std::fs::File::options().append(true).open(project.at(path));
            file.unwrap().set_modified(second).unwrap();
        };
        at_once("src/main.txt");
        for words in ["config core.trustctime false", "add src"] {
            let (passes, output) = project.run("git", &words.split(' ').collect::<Vec<_>>());
            assert!(passes, "{output}");
        }
        project.write("src/main.txt", "y\n");
        at_once("src/main.txt");
        at_once(".git/index");
        let project = project.file("plans/p.md", &plan);
        let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
        run(&home, &project, "plans/p.md", &[]).expect(0);
        let git = |arguments: &[&str]| {
            let done = std::process::Command::new("git")
                .args(arguments)
                .current_dir(project.path())
                .output()
                .unwrap();
            String::from_utf8_lossy(&done.stdout).into_owned()
        };
        assert!(git(&["log", "--oneline", "-1"]).contains("three"), "{tier}");
        assert!(
            !git(&["status", "--short", "src/main.txt"]).contains("main"),
            "{tier}"
        );
    }
}

#[test]
fn no_command_writes_into_any_plan() {
    let gate = "# Pay\n\n## Tasks\n- [ ] **C1** Look at it\n  - type: checkpoint\n- [ ] **T1** Pay\n  - call: `run_command {\"command\": \"true\"}`\n";
    let others = ["plans/other.md", ".kiro/specs/pay/tasks.md", "notes/pay.md"];
    let tick = "sed -i s/.[[:space:]].[[:space:]][*][*]C1/[x]/ ";
    let steps: String = (1..)
        .zip(others)
        .map(|(number, plan)| {
            format!("- [ ] **T{number}** Tick {plan}\n  - depends: none\n  - call: `run_command {{\"command\": \"sh -c '{tick}{plan}; echo x >> {plan}; true'\"}}`\n")
        })
        .collect();
    for tier in tiers() {
        let project = others
            .iter()
            .fold(Project::new(), |project, path| project.file(path, gate))
            .file("plans/p.md", format!("# Tick\n\n## Tasks\n{steps}"))
            .git();
        let home = Home::new().with_env("PLANWRIGHT_SANDBOX", tier);
        // Nothing but its run shows that this file is a plan.
        let revision = crate::revision(&home, &project, "notes/pay.md");
        let asked = [
            "run",
            "notes/pay.md",
            "--workspace",
            ".",
            "--approve",
            &revision,
            "--json",
        ];
        let _ = home.planwright(&project, asked).expect(3);
        run(&home, &project, "plans/p.md", &[]);
        for plan in others {
            assert_eq!(project.read(plan), gate, "{tier} {plan}");
        }
    }
}

#[test]
fn a_program_of_the_project_is_not_taken_for_git() {
    let marks = Project::new();
    let mark = marks.at("ran");
    let fake = format!("#!/bin/sh\necho ran > {}\n", mark.display());
    let plan =
        "# Look\n\n- [ ] **T1** Say hello\n  - call: `run_command {\"command\": \"echo hello\"}`\n";
    let project = Project::new()
        .file("plans/p.md", plan)
        .file(".venv/bin/git", &fake)
        .file("bin/git", &fake)
        .git();
    for program in [".venv/bin/git", "bin/git"] {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(project.at(program), mode).unwrap();
    }
    let path = format!(
        "{}:bin:{}",
        project.at(".venv/bin").display(),
        std::env::var("PATH").unwrap()
    );
    let home = Home::new().with_env("PATH", &path);
    home.planwright(&project, ["check", "plans/p.md"]);
    assert!(!mark.exists(), "check ran it");
    run(&home, &project, "plans/p.md", &[]);
    assert!(!mark.exists(), "run ran it");
}
