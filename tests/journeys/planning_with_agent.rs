//! Another agent writes a plan in its plan mode: the plan is the one that it hands over, its
//! permission requests are refused, and nothing but the plan changes.

use std::path::Path;

use planwright_tests::{AtTerminal, Home, Output, Project};
use serde_json::json;
use workbench::wire::ModelEvent;
use workbench::{
    CancelToken, ChangeRequest, Code, Environment, PlanningAgent, ProposedText, Workbench,
};

/// A scripted agent that sends the requests of a real one. Its behavior depends on the prompt.
const AGENT: &str = r##"
say() { printf '%s\n' "$1"; }
update() { say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'"$1"'}}'; }
text() { update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"'"$1"'"}}'; }
ask() { say '{"jsonrpc":"2.0","id":"'"$1"'","method":"'"$2"'","params":{"sessionId":"s1",'"$3"'}}'; IFS= read -r reply; }
outcome() { printf '%s' "$reply" | tr -d '"{}\\' ; }
done_() { say '{"jsonrpc":"2.0","id":'"$id"',"result":{"stopReason":"end_turn","usage":{"inputTokens":1000,"outputTokens":50}}}'; }
steps='# Greet in German\n\n## Requirements\n- R1 the greeting is German\n\n## Tasks\n- [ ] **T1** Change the greeting in `hello.py` to Moin\n  - files: `hello.py`\n  - covers: R1\n  - verify: `grep -q Moin hello.py`\n'
options='"options":[{"optionId":"proceed_once","kind":"allow_once","name":"Yes"},{"optionId":"cancel","kind":"reject_once","name":"No"}]'
propose() { ask "$1" session/request_permission '"toolCall":{"toolCallId":"c'"$1"'","kind":"switch_mode","title":"Plan:","rawInput":{"plan":"'"$2"'"}},'"$options"; }
prompts=0
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) say '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":1}}';;
    *'"method":"session/new"'*) say '{"jsonrpc":"2.0","id":'"$id"',"result":{"sessionId":"s1","modes":{"currentModeId":"auto","availableModes":[{"id":"auto"},{"id":"plan"}]}}}';;
    *'"method":"session/set_mode"'*) case "$line" in *'"plan"'*) mode=plan;; esac; say '{"jsonrpc":"2.0","id":'"$id"',"result":{}}';;
    *'"method":"session/prompt"'*)
      prompts=$((prompts + 1))
      case "$line" in
        *case:dies*) exit 7;;
        *case:hangs*) sleep 100;;
        *case:floods*) big=$(head -c 60000 /dev/zero | tr '\0' x); n=0; while [ $n -lt 900 ]; do text "$big"; n=$((n + 1)); done; done_;;
        *case:empty*) propose e ''; done_;;
        *case:asks*) text 'Which language do you mean?'; done_;;
        *case:late*) propose l "$steps"; exit 7;;
        *'Say Servus'*)
          case "$line" in *'The plan:'*) text 'With the plan.';; *) text "Prompt $prompts of this conversation.";; esac
          propose r "$steps"'- [ ] **T2** Say Servus\n  - depends: T1\n'; done_;;
        *)
          text "Mode $mode. "
          (echo 'GREETING = "Moin"' > hello.py) 2>/dev/null || text 'The workspace is read-only. '
          ask w fs/write_text_file '"path":"'"$PWD"'/hello.py","content":"GREETING = 1"'; text "Write: $(outcome). "
          ask g fs/read_text_file '"path":"'"$PWD"'/hello.py"'; text "Read: $(outcome). "
          ask o fs/read_text_file '"path":"/etc/passwd"'; text "Outside: $(outcome). "
          ask x craft/drainMidTurnQueue '"a":1'; text "Unknown: $(outcome). "
          ask p session/request_permission '"toolCall":{"toolCallId":"c","kind":"execute","title":"rm -r ."},'"$options"; text "Command: $(outcome). "
          propose d "$steps"; text "Plan: $(outcome)."
          done_;;
      esac;;
  esac
done
"##;

const PLAN: &str = "plans/greet-in-german.md";

fn project() -> Project {
    Project::new()
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file("agent.sh", AGENT)
        .git()
}

/// The scripted agent is configured like one that asks for permission to leave plan mode.
fn home(project: &Project) -> Home {
    let home = Home::new();
    let script = project.at("agent.sh");
    home.write_settings(&json!({"agents": [{
        "name": "scripted",
        "like": "qwen",
        "command": ["/bin/sh", script],
        "timeout_s": 20,
    }]}));
    home
}

fn plan(home: &Home, project: &Project, goal: &str) -> Output {
    home.planwright(project, ["plan", goal, "--agent", "scripted", "--json"])
}

/// The agent's text, joined from the events.
fn words(ran: &Output) -> String {
    let texts = ran.events("text");
    let texts = texts.iter().filter_map(|event| event["text"].as_str());
    texts.collect()
}

#[test]
fn another_agent_writes_the_plan_and_changes_nothing_else() {
    let project = project();
    let home = home(&project);
    let ran = plan(&home, &project, "Make the greeting German").expect(0);
    let said = words(&ran);
    for (about, expected) in [
        ("Mode", "plan"),
        ("The workspace", "read-only"),
        ("Write: ", "-32000"),
        ("Read: ", "GREETING = Hello"),
        ("Outside: ", "-32000"),
        ("Unknown: ", "-32601"),
        ("Command: ", "optionId:cancel"),
        ("Plan: ", "optionId:cancel"),
    ] {
        let answer = said.split(about).nth(1).unwrap_or_default();
        let answer = answer.split(". ").next().unwrap_or_default();
        assert!(answer.contains(expected), "no {about}{expected} in {said}");
    }
    let text = project.read(PLAN);
    assert!(
        text.starts_with(
            "---\nplanwright: 1\ngoal: Make the greeting German\n---\n# Greet in German"
        ),
        "{text}"
    );
    assert_eq!(project.read("hello.py"), "GREETING = \"Hello\"\n");

    let report = ran.last_json();
    assert_eq!(report["route"]["solver"], "gs-agent", "{report}");
    assert_eq!(report["route"]["agent"], "scripted", "{report}");
    assert_eq!(
        report["route"]["tokens"],
        json!({"input": 1000, "output": 50})
    );
    assert_eq!(report["tasks"][0]["files"], json!(["hello.py"]));
    let bench = workbench(&home, &project);
    let key = project.at(PLAN).display().to_string();
    let history = bench.store.revisions().page(&key, None, 10).unwrap();
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].author.as_str(), "outside");
    assert_eq!(history[0].reason, "proposed by scripted");
}

#[test]
fn a_person_requests_changes_in_the_same_conversation() {
    let project = project();
    let home = home(&project);
    let arguments = ["plan", "Make the greeting German", "--agent", "scripted"];
    let mut terminal = AtTerminal::start(&home, &project, arguments);
    terminal.wait_for("Changes (Enter keeps the plan): ");
    terminal.press("Say Servus\n");
    terminal.wait_for("T2");
    terminal.wait_for("Changes (Enter keeps the plan): ");
    terminal.press("Say Servus\n");
    terminal.wait_for("proposed the same plan again");
    terminal.wait_for("Changes (Enter keeps the plan): ");
    terminal.press("\n");
    terminal.expect(0);
    let text = project.read(PLAN);
    assert!(text.contains("- [ ] **T2** Say Servus"), "{text}");
    assert!(text.starts_with("---\nplanwright: 1\ngoal: Make"), "{text}");
}

#[test]
fn a_plan_is_changed_by_an_agent_that_does_not_know_it() {
    let project = project();
    let home = home(&project);
    plan(&home, &project, "Make the greeting German").expect(0);
    let arguments = [
        "plan",
        "Say Servus",
        "--agent",
        "scripted",
        "--change",
        PLAN,
        "--json",
    ];
    let ran = home.planwright(&project, arguments).expect(0);
    assert!(words(&ran).contains("With the plan."), "{}", ran.shown());
    assert!(project.read(PLAN).contains("**T2** Say Servus"));
}

#[test]
fn an_agent_that_fails_is_reported_and_no_plan_is_written_or_lost() {
    let project = project();
    let home = home(&project);
    plan(&home, &project, "Make the greeting German").expect(0);
    let before = project.read(PLAN);
    let cases = [
        ("case:dies", "it exited with code 7"),
        ("case:floods", "32 MB in one turn"),
        ("case:empty", "proposed an empty plan"),
        ("case:asks", "It said: Which language do you mean?"),
    ];
    for (case, expected) in cases {
        let ran = plan(&home, &project, case).expect(4);
        let message = ran.last_json()["error"]["message"].to_string();
        assert!(message.contains(expected), "{case}: {message}");
        assert!(message.contains("scripted"), "{case}: {message}");
        let change = [
            "plan", case, "--agent", "scripted", "--change", PLAN, "--json",
        ];
        home.planwright(&project, change).expect(4);
        assert_eq!(project.read(PLAN), before, "{case}");
    }
    let plans = std::fs::read_dir(project.at("plans")).unwrap().count();
    assert_eq!(plans, 1);

    // If the agent fails after handing over a plan, the plan is kept.
    plan(&home, &project, "case:late").expect(0);
    assert!(project.at("plans/greet-in-german-2.md").exists());
}

#[test]
fn an_agent_that_hangs_is_ended_after_its_time_limit() {
    let project = project();
    let home = home(&project);
    let script = project.at("agent.sh");
    home.write_settings(&json!({"agents": [{
        "name": "scripted", "like": "qwen", "command": ["/bin/sh", script], "timeout_s": 2,
    }]}));
    let ran = plan(&home, &project, "case:hangs").expect(4);
    let message = ran.last_json()["error"]["message"].to_string();
    assert!(message.contains("within 2 s"), "{message}");
}

#[test]
fn an_agent_that_cannot_be_started_is_explained() {
    let project = project();
    let home = home(&project);
    let unknown = ["plan", "Greet", "--agent", "other", "--json"];
    let ran = home.planwright(&project, unknown).expect(64);
    let message = ran.last_json()["error"]["message"].to_string();
    assert!(message.contains("unknown agent “other”"), "{message}");

    // Permission rules apply to the agent's command line.
    home.write_settings(&json!({
        "agents": [{"name": "scripted", "like": "qwen", "command": ["/bin/sh", "agent.sh"]}],
        "permissions": [{"tool": "run_command", "match": "prefix /bin/sh", "answer": "deny"}],
    }));
    let ran = plan(&home, &project, "Make the greeting German").expect(4);
    let message = ran.last_json()["error"]["message"].to_string();
    assert!(message.contains("a permission rule denies"), "{message}");
    assert!(!project.at(PLAN).exists());
}

/// An agent with a fixed answer, which calls a function during its turn.
struct Fake<'a> {
    text: String,
    meanwhile: &'a dyn Fn(),
}

impl PlanningAgent for Fake<'_> {
    fn name(&self) -> &str {
        "fake"
    }

    fn title(&self) -> &str {
        "Fake"
    }

    fn has_conversation(&self) -> bool {
        false
    }

    fn propose(
        &mut self,
        _: &str,
        _: &CancelToken,
        _: &mut dyn FnMut(ModelEvent),
    ) -> workbench::Result<ProposedText> {
        (self.meanwhile)();
        Ok(ProposedText {
            text: self.text.clone(),
            ..ProposedText::default()
        })
    }
}

fn workbench(home: &Home, project: &Project) -> Workbench {
    let environment = Environment {
        variables: vec![("PLANWRIGHT_HOME".to_owned(), home.path().into())],
        cwd: project.path().to_owned(),
        program: "/nonexistent".into(),
    };
    Workbench::open(environment).unwrap().0
}

const OLD: &str = "# Greet\n\n## Tasks\n- [ ] **T1** Read `hello.py`\n- [ ] **T2** Say Hello\n";

/// Has an agent propose `new` as a change of [`OLD`], while another program writes `meanwhile`.
fn change(meanwhile: Option<&str>, new: &str) -> (Project, workbench::Result<Vec<String>>) {
    let project = Project::new().file("plans/p.md", OLD);
    let home = Home::new();
    let mut bench = workbench(&home, &project);
    let path = project.at("plans/p.md");
    let write = || {
        if let Some(text) = meanwhile {
            std::fs::write(&path, text).unwrap();
        }
    };
    let mut agent = Fake {
        text: new.to_owned(),
        meanwhile: &write,
    };
    let request = ChangeRequest {
        file: Path::new("plans/p.md").to_owned(),
        words: "Say it in German".to_owned(),
        proposed: None,
    };
    let cancel = CancelToken::new().unwrap();
    let changed = bench.change_with_agent(&request, &mut agent, &cancel, &mut |_| {});
    (project, changed.map(|outcome| outcome.notices))
}

#[test]
fn what_others_write_during_an_agents_turn_is_kept() {
    let new = OLD.replace("Say Hello", "Say Moin");
    let other = OLD.replace("Read `hello.py`", "Read `hello.py` twice");
    let (project, changed) = change(Some(&other), &new);
    assert!(changed.unwrap().is_empty());
    let both = other.replace("Say Hello", "Say Moin");
    assert_eq!(project.read("plans/p.md"), both);

    // If both change the same lines, both versions are kept.
    let other = OLD.replace("Say Hello", "Say Servus");
    let (project, changed) = change(Some(&other), &new);
    let notices = changed.unwrap().join("");
    assert!(notices.contains("plans/greet.md"), "{notices}");
    assert_eq!(project.read("plans/p.md"), other);
    assert_eq!(project.read("plans/greet.md"), new);
}

#[test]
fn an_unchanged_or_empty_proposal_is_no_change() {
    for (text, expected) in [(OLD, "the same plan again"), (" \n", "empty plan")] {
        let (project, changed) = change(None, text);
        let error = changed.unwrap_err();
        assert!(error.message.contains(expected), "{}", error.message);
        assert_ne!(error.code, Code::Internal);
        assert_eq!(project.read("plans/p.md"), OLD);
    }
}
