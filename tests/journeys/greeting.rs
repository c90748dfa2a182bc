//! The small job of the journeys in which a model carries steps out: a program says Hello, and is to
//! greet in German. What the model says, word by word, is said by the journeys.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::Turn;
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;

/// Where the plan of a journey stands.
pub(crate) const PLAN: &str = "plans/p.md";

/// The program.
pub(crate) const HELLO: &str = "GREETING = \"Hello\"\n";

/// The program and a plan, not under Git yet.
pub(crate) fn files(plan: &str) -> Project {
    Project::new().file(PLAN, plan).file("hello.py", HELLO)
}

/// The same under Git.
pub(crate) fn project(plan: &str) -> Project {
    files(plan).git()
}

/// A home whose model has these values in its profile.
pub(crate) fn home_with_profile(server: &ModelServer, values: &[&str]) -> Home {
    let home = home_with(server);
    for value in values {
        let folder = home.path().to_owned();
        home.planwright(folder, ["models", "--set", value])
            .expect(0);
    }
    home
}

/// The model looks at the program.
pub(crate) fn look() -> Turn {
    Turn::call("read_file", json!({"path": "hello.py"}))
}

/// The model searches the greeting.
pub(crate) fn search() -> Turn {
    Turn::call("search_files", json!({"pattern": "GREETING"}))
}

/// The model makes the change that is wanted.
pub(crate) fn edit() -> Turn {
    replace("\"Hello\"", "\"Moin\"")
}

/// The model replaces one text of the program by another.
pub(crate) fn replace(from: &str, to: &str) -> Turn {
    let arguments = json!({"path": "hello.py", "old_text": from, "new_text": to});
    Turn::call("edit_file", arguments)
}

/// The model writes a file whole.
pub(crate) fn write(path: &str, content: &str) -> Turn {
    Turn::call("write_file", json!({"path": path, "content": content}))
}

/// The model says that the step is done.
pub(crate) fn report(summary: &str) -> Turn {
    report_learned(summary, true, &[])
}

/// The model says that the step cannot be done.
pub(crate) fn give_up(summary: &str) -> Turn {
    report_learned(summary, false, &[])
}

/// The model reports with what it found out.
pub(crate) fn report_learned(summary: &str, done: bool, learned: &[&str]) -> Turn {
    let arguments = json!({"summary": summary, "done": done, "learned": learned});
    Turn::call("report_progress", arguments)
}

/// The same call as a model writes it that has no other form.
pub(crate) fn typed(turn: &Turn) -> Turn {
    let call = &turn.calls[0];
    Turn::say(json!({"name": call.name, "arguments": call.arguments}).to_string())
}
