//! Escapes from the sandbox: each tier of this machine, each way out, refused.

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;

use planwright_tests::{Home, Project};

use crate::run;

/// What `sandbox` reports.
fn sandbox(home: &Home) -> serde_json::Value {
    let project = Project::new();
    home.planwright(&project, ["sandbox", "--json"])
        .expect(0)
        .last_json()
}

/// The tiers that can be tried here; a machine without user namespaces has only the second.
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

/// One program that tries everything and prints what succeeded.
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
        // Entries at the top are there from the start: the second tier cannot make new ones.
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
            "{tier}: the attempts ran: {printed}"
        );
        assert!(!printed.contains("ESCAPED"), "{tier}: {printed}");
        assert_eq!(before, outside.snapshot(), "{tier}");
        assert!(
            planwright_tests::processes_with(&mark).is_empty(),
            "{tier}: a process was left"
        );
        assert!(!project.at("left-behind").exists(), "{tier}");
        assert!(tcp.accept().is_err() && unix.accept().is_err(), "{tier}");
        assert!(udp.recv(&mut [0; 8]).is_err(), "{tier}");
        assert_eq!(config, project.read(".git/config"), "{tier}");
        assert!(!project.at(".git/hooks/pre-commit").exists(), "{tier}");
        assert!(!project.at(".planwright").exists(), "{tier}");
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
