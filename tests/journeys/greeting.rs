//! A small job for journeys in which a model carries out steps: a program says Hello and should
//! greet in German. Each journey scripts the model's replies.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::Turn;
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;

/// The plan's path in these journeys.
pub(crate) const PLAN: &str = "plans/p.md";

/// The program in the project.
pub(crate) const HELLO: &str = "GREETING = \"Hello\"\n";

/// The program and a plan, without Git.
pub(crate) fn files(plan: &str) -> Project {
    Project::new().file(PLAN, plan).file("hello.py", HELLO)
}

/// The program and a plan, in a Git repository.
pub(crate) fn project(plan: &str) -> Project {
    files(plan).git()
}

/// A home with a model on this server, with these profile values overridden.
pub(crate) fn home_with_profile(server: &ModelServer, values: &[&str]) -> Home {
    let home = home_with(server);
    for value in values {
        let folder = home.path().to_owned();
        home.planwright(folder, ["models", "--set", value])
            .expect(0);
    }
    home
}

/// The model reads the program.
pub(crate) fn look() -> Turn {
    Turn::call("read_file", json!({"path": "hello.py"}))
}

/// The model searches for the greeting.
pub(crate) fn search() -> Turn {
    Turn::call("search_files", json!({"pattern": "GREETING"}))
}

/// The model makes the requested change.
pub(crate) fn edit() -> Turn {
    replace("\"Hello\"", "\"Moin\"")
}

/// The model replaces one text in the program with another.
pub(crate) fn replace(from: &str, to: &str) -> Turn {
    let arguments = json!({"path": "hello.py", "old_text": from, "new_text": to});
    Turn::call("edit_file", arguments)
}

/// The model writes a whole file.
pub(crate) fn write(path: &str, content: &str) -> Turn {
    Turn::call("write_file", json!({"path": path, "content": content}))
}

/// The model reports the step as done.
pub(crate) fn report(summary: &str) -> Turn {
    report_learned(summary, true, &[])
}

/// The model reports that the step cannot be done.
pub(crate) fn give_up(summary: &str) -> Turn {
    report_learned(summary, false, &[])
}

/// The model reports with learned facts.
pub(crate) fn report_learned(summary: &str, done: bool, learned: &[&str]) -> Turn {
    let arguments = json!({"summary": summary, "done": done, "learned": learned});
    Turn::call("report_progress", arguments)
}

/// The same call written as text, as by a model without native tool calls.
pub(crate) fn typed(turn: &Turn) -> Turn {
    let call = &turn.calls[0];
    Turn::say(json!({"name": call.name, "arguments": call.arguments}).to_string())
}
