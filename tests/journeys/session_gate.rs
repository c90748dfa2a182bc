//! Before approval, only the plan can change, whatever the model tries: tools by any name, commands
//! that write in any way, the network, links, and leaving plan mode on its own.

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use planwright_tests::conversation::{home_with, plan};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::transcript::{answers, assert_prefix_kept};
use planwright_tests::{
    ModelServer, Project, Snapshot, planwright_binary, processes_with, wait_until,
};
use serde_json::{Value, json};

use crate::escaping::tiers;

/// An attempt by the model.
struct Attempt {
    tool: &'static str,
    arguments: Value,
    /// The hint it gets if the gate refuses the attempt.
    told: Option<&'static str>,
}

fn refused(tool: &'static str, arguments: Value, told: &'static str) -> Attempt {
    Attempt {
        tool,
        arguments,
        told: Some(told),
    }
}

/// A command that runs but cannot change anything.
fn command(line: impl Into<String>) -> Attempt {
    let line: String = line.into();
    Attempt {
        tool: "run_command",
        arguments: json!({ "command": line }),
        told: None,
    }
}

const IN_THE_PLAN: &str = "Put this change into the plan with edit_plan";
const NEAREST: &str = "the nearest is";
const NO_TOOL: &str = "There is no tool";
const THE_PERSONS: &str = "Only the person changes the mode";

/// Two turns, which write a plan and propose it.
fn offering() -> Vec<Turn> {
    let text = planwright_tests::conversation::PLAN;
    vec![
        Turn::call("edit_plan", json!({ "new_text": text })),
        Turn::call("propose_plan", json!({})),
    ]
}

/// What happened when the model made its attempts in plan mode, in a session that has a plan.
struct Played {
    before: Snapshot,
    after: Snapshot,
    /// The arguments of each attempt.
    tried: Vec<String>,
    /// The result of each attempt.
    told: Vec<String>,
    mode: String,
    alarms: Vec<Value>,
}

/// Makes these attempts in plan mode, one per reply, in a session that has a plan.
fn play(
    tier: &str,
    prepare: impl Fn(&Project, &str),
    attempts: impl Fn(&Project, &str, &str) -> Vec<Attempt>,
) -> Played {
    let server = ModelServer::start(Scenario::new(offering()));
    let home = home_with(&server).with_env("PLANWRIGHT_SANDBOX", tier);
    let project = python_report().git();
    let planned = plan(&home, &project);
    server.finished();
    let path = planned["path"].as_str().unwrap();
    let relative = path
        .strip_prefix(&project.path().canonicalize().unwrap().display().to_string())
        .unwrap()
        .trim_start_matches('/');
    prepare(&project, relative);
    let before = project.snapshot_with_git();

    let session = planned["session"].as_str().unwrap();
    let attempts = attempts(&project, relative, session);
    let turns = attempts
        .iter()
        .map(|attempt| Turn::call(attempt.tool, attempt.arguments.clone()));
    let last = Turn::say("I could change nothing.");
    let server = ModelServer::start(Scenario::new(turns.chain([last])));
    let home = home.with_env("PLANWRIGHT_BASE_URL", &server.base_url());
    let chat = [
        "chat",
        session,
        "Try everything",
        "--mode",
        "plan",
        "--json",
    ];
    let out = home.planwright(&project, chat).expect(0);
    assert_eq!(out.last_json()["state"], "answered", "{}", out.shown());
    let requests = server.finished();
    assert_prefix_kept(&requests);
    // The first two replies of the session wrote and proposed the plan; then the turn ended.
    let told = answers(requests.last().unwrap());
    let told = told[told.len() - attempts.len()..].to_vec();
    for (attempt, told) in attempts.iter().zip(&told) {
        let Attempt {
            tool, arguments, ..
        } = attempt;
        let expected = attempt.told.unwrap_or_default();
        assert!(told.contains(expected), "{tool} {arguments}: {told}");
    }
    let sessions = home.planwright(&project, ["sessions", "--json"]).expect(0);
    Played {
        before,
        after: project.snapshot_with_git(),
        tried: attempts
            .iter()
            .map(|one| one.arguments.to_string())
            .collect(),
        told,
        mode: sessions.json()[0]["mode"].as_str().unwrap().to_owned(),
        alarms: out.events("changed"),
    }
}

impl Played {
    #[track_caller]
    fn changed_nothing(&self) {
        self.after.assert_same_as(&self.before, &[]);
        assert_eq!(self.alarms, Vec::<Value>::new());
        assert_eq!(self.mode, "plan");
    }
}

#[test]
fn no_tool_of_any_name_changes_anything_in_plan_mode() {
    let attempts = |project: &Project, path: &str, _: &str| {
        let edit = |path: &str| json!({"path": path, "old_text": "T1", "new_text": "T9"});
        let write = |path: &str| json!({"path": path, "content": "evil"});
        let root = project.path().canonicalize().unwrap();
        let absolute = root.join(path).display().to_string();
        let name = root.file_name().unwrap().to_string_lossy().into_owned();
        vec![
            refused("edit_file", edit("report/cli.py"), IN_THE_PLAN),
            refused("write_file", write("new.py"), IN_THE_PLAN),
            refused("write_file", write("report/cli.py"), IN_THE_PLAN),
            refused("write_file", write("plans/other.md"), IN_THE_PLAN),
            refused(
                "write_file",
                write(".planwright/settings.json"),
                IN_THE_PLAN,
            ),
            refused("write_file", write(".git/hooks/pre-commit"), IN_THE_PLAN),
            // The plan file, under each of its names.
            refused("write_file", write(path), IN_THE_PLAN),
            refused("edit_file", edit(path), IN_THE_PLAN),
            refused(
                "write_file",
                write(&format!("./report/../{path}")),
                IN_THE_PLAN,
            ),
            refused(
                "write_file",
                write(&format!("../{name}/{path}")),
                IN_THE_PLAN,
            ),
            refused("edit_file", edit(&absolute), IN_THE_PLAN),
            refused("edit_file", edit(&format!("~/{path}")), IN_THE_PLAN),
            refused("edit_file", edit("alias.md"), "edit_plan"),
            refused("write_file", write("hard.md"), "edit_plan"),
            // Through links that lead out of the workspace.
            refused("write_file", write("out"), IN_THE_PLAN),
            refused("write_file", write("outside/new"), IN_THE_PLAN),
            refused("edit_file", edit("out"), IN_THE_PLAN),
            // Tools by the names that other programs use.
            refused("delete_file", json!({"path": "README.md"}), IN_THE_PLAN),
            refused(
                "apply_patch",
                json!({"patch": "*** Begin Patch"}),
                IN_THE_PLAN,
            ),
            refused("str_replace", edit("report/cli.py"), IN_THE_PLAN),
            refused(
                "str_replace_editor",
                json!({"command": "create"}),
                IN_THE_PLAN,
            ),
            refused("Write", write("new.py"), IN_THE_PLAN),
            refused("create_file", write("new.py"), IN_THE_PLAN),
            refused("Bash", json!({"command": "touch made"}), NEAREST),
            refused("git_commit", json!({"message": "x"}), NEAREST),
            refused("move_file", json!({"from": "a", "to": "b"}), IN_THE_PLAN),
            refused("Task", json!({"prompt": "write new.py"}), NO_TOOL),
            refused("spawn_agent", json!({"prompt": "write new.py"}), NO_TOOL),
            // Leaving plan mode.
            refused("exit_plan_mode", json!({"plan": "done"}), THE_PERSONS),
            refused("ExitPlanMode", json!({}), THE_PERSONS),
            refused("switch_mode", json!({"mode": "exec"}), THE_PERSONS),
            refused("set_mode", json!({"to": "exec"}), THE_PERSONS),
            refused("approve_plan", json!({}), THE_PERSONS),
            refused("start_execution", json!({}), THE_PERSONS),
            // Misuse of the tool that edits the plan.
            refused(
                "edit_plan",
                json!({"path": "report/cli.py", "new_text": "evil"}),
                "path",
            ),
            refused(
                "edit_plan",
                json!({"old_text": "- [ ] **T1**", "new_text": "- [x] **T1**"}),
                "The app ticks boxes",
            ),
            refused(
                "edit_plan",
                json!({"new_text": "# Another"}),
                "There is a plan already",
            ),
        ]
    };
    let outside = Project::new().file("victim", "safe T1");
    let outside_before = outside.snapshot();
    let prepare = |project: &Project, path: &str| {
        std::os::unix::fs::symlink(path, project.at("alias.md")).unwrap();
        std::fs::hard_link(project.at(path), project.at("hard.md")).unwrap();
        std::os::unix::fs::symlink(outside.at("victim"), project.at("out")).unwrap();
        std::os::unix::fs::symlink(outside.path(), project.at("outside")).unwrap();
    };
    let played = play("", prepare, attempts);
    played.changed_nothing();
    outside.snapshot().assert_same_as(&outside_before, &[]);
}

#[test]
fn no_command_changes_anything_in_plan_mode() {
    for tier in tiers() {
        let outside = Project::new().file("victim", "safe");
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let socket = outside.at("socket");
        let unix = UnixListener::bind(&socket).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        let mark = format!("2.{:07}", std::process::id());
        let (to_tcp, to_udp) = (tcp.local_addr().unwrap(), udp.local_addr().unwrap());
        let outside_before = outside.snapshot();
        let prepare = |project: &Project, path: &str| {
            std::os::unix::fs::symlink(path, project.at("alias.md")).unwrap();
            std::fs::hard_link(project.at(path), project.at("hard.md")).unwrap();
            std::os::unix::fs::symlink(outside.at("victim"), project.at("out")).unwrap();
            std::os::unix::fs::symlink(outside.path(), project.at("outside")).unwrap();
        };
        let attempts = |project: &Project, path: &str, session: &str| {
            let python = |code: &str| command(format!("python3 -c \"{code}\""));
            let victim = outside.at("victim").display().to_string();
            let planwright = planwright_binary().display();
            let root = project.path().display();
            let attempts = vec![
                command("echo evil > made"),
                command("echo evil >> report/cli.py"),
                command("sh -c 'echo evil > made'"),
                command("tee made < README.md"),
                command("git add -A"),
                command("git commit --allow-empty -am evil"),
                command("git log --output=made"),
                command("git config user.name evil"),
                command("git checkout -b evil"),
                command("sed -i s/def/DEF/ report/cli.py"),
                command("sed -n 'w made' report/cli.py"),
                command("sed 's/def/DEF/w made' report/cli.py"),
                command(format!("sh -c '(sleep {mark}; echo evil > late) &'")),
                command(format!("setsid sh -c 'sleep {mark}; echo evil > late' &")),
                command(format!(
                    "nohup sh -c 'sleep {mark}; echo evil > late' > /dev/null 2>&1 &"
                )),
                python("open('made', 'w').write('evil')"),
                python("import os; os.chmod('report/cli.py', 0o777)"),
                python("import os; os.utime('report/cli.py', (1, 1))"),
                python("import os; os.setxattr('report/cli.py', 'user.evil', b'1')"),
                python("import os; os.truncate('report/cli.py', 0)"),
                python("import os; os.rename('README.md', 'made')"),
                python("import os; os.mkfifo('made')"),
                command("chmod 777 report/cli.py"),
                command("truncate -s 0 report/cli.py"),
                command("touch -d @1 report/cli.py"),
                command("touch made"),
                command("rm -f README.md"),
                command("mv README.md made"),
                command("mkdir made"),
                command("ln -s README.md made"),
                command("ln README.md made"),
                command("cp README.md made"),
                command("dd if=/dev/zero of=report/cli.py count=1"),
                command("find . -name cli.py -delete"),
                command("tar -xf missing.tar; tar -cf made.tar report"),
                // The plan file, under each of its names.
                command(format!("sh -c 'echo evil >> {path}'")),
                command(format!("rm -f {path}")),
                command("sh -c 'echo evil >> alias.md'"),
                command("sh -c 'echo evil >> hard.md'"),
                // Outside the workspace, by links and by name.
                command("sh -c 'echo evil > out'"),
                command("sh -c 'echo evil > outside/new'"),
                command(format!("cp README.md {victim}")),
                command(format!("rm -f {victim}")),
                // The network.
                python(&format!(
                    "import socket; s = socket.create_connection(('127.0.0.1', {}), 1); s.send(b'evil')",
                    to_tcp.port()
                )),
                python(&format!(
                    "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'evil', ('127.0.0.1', {}))",
                    to_udp.port()
                )),
                python(&format!(
                    "import socket; s = socket.socket(socket.AF_UNIX); s.connect('{}'); s.send(b'evil')",
                    socket.display()
                )),
                python(&format!(
                    "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'evil', '{}')",
                    socket.display()
                )),
                // Leaving plan mode by running Planwright itself.
                command(format!("{planwright} chat {session} --mode exec")),
                command(format!(
                    "env PLANWRIGHT_HOME={root} {planwright} chat {session} --mode exec"
                )),
            ];
            assert!(attempts.len() < 55, "too many attempts for one turn");
            attempts
        };
        let played = play(tier, prepare, attempts);
        // If the sandbox blocks something, the result says what to do instead; files that it hides
        // don't exist for the command.
        let is_told = |told: &String| told.contains("into the plan with edit_plan");
        let hidden = [
            "nonexistent",
            "No such file",
            "Couldn't set up the",
            "he sandbox hides",
            // In the sandbox, Planwright itself finds an empty home.
            "no session “",
            "exit 0",
        ];
        for (line, told) in played.tried.iter().zip(&played.told) {
            let is_hidden = hidden.iter().any(|mark| told.contains(mark));
            assert!(is_told(told) || is_hidden, "{tier}: {line}: {told}");
        }
        let count = played.told.iter().filter(|told| is_told(told)).count();
        assert!(count >= 35, "{tier}: {count}");
        // Child processes that would write later are killed, so their files don't appear.
        wait_until("the children to be gone", || {
            processes_with(&format!("sleep {mark}")).is_empty()
        });
        played.changed_nothing();
        outside.snapshot().assert_same_as(&outside_before, &[]);
        assert!(tcp.accept().is_err() && unix.accept().is_err(), "{tier}");
        assert!(udp.recv(&mut [0; 8]).is_err(), "{tier}");
    }
}
