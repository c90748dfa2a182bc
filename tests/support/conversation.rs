//! A conversation in the terminal with a scripted model, which adds a `--json` flag to the sales
//! report in eleven requests: five for planning and six for carrying out the plan.

use serde_json::{Value, json};

use crate::model_server::Turn;
use crate::{Home, ModelServer, Project};

/// The goal of the conversation.
pub const GOAL: &str = "Add a --json flag to the report command and test it";

/// The plan that the scripted model writes.
pub const PLAN: &str = "\
# Add a --json flag to the report command

The report prints one line for each sale. A flag prints the same rows as JSON, for other programs.

## Requirements
- R1 `python3 -m report --json FILE` prints every row as one JSON array
- R2 Without the flag the output is as before

## Tasks
- [ ] **T1** Print the rows as JSON in `report/table.py`
  - files: `report/table.py`
  - covers: R1
  - accept: `render_json(rows)` gives one JSON array with all rows
  - verify: `python3 -m unittest`
- [ ] **T2** Take `--json` on the command line
  - depends: T1
  - files: `report/cli.py`
  - covers: R1, R2
  - accept: `run(path, out, as_json=True)` prints the array and returns the sum
  - verify: `python3 -m unittest`
- [ ] **T3** Test both ways of printing
  - depends: T2
  - files: `tests/test_json.py`
  - covers: R1, R2
  - accept: one test for the array, one for the lines
  - verify: `python3 -m unittest`
";

/// The test that the scripted model writes.
const TEST: &str = "\
import io
import json
import unittest

from report.table import render_json


class JsonTest(unittest.TestCase):
    def test_every_row_is_in_the_array(self):
        rows = [{\"date\": \"2024-01-02\", \"region\": \"north\", \"amount\": 10}]
        self.assertEqual(json.loads(render_json(rows)), rows)


if __name__ == \"__main__\":
    unittest.main()
";

/// The five planning turns: the model reads files, writes the plan and proposes it.
pub fn planning() -> Vec<Turn> {
    vec![
        Turn::call("read_file", json!({"path": "report/cli.py"})),
        Turn::call("read_file", json!({"path": "report/table.py"})).expecting("def run"),
        Turn::call("search_files", json!({"pattern": "render_rows"})).expecting("def render_rows"),
        Turn::call("edit_plan", json!({"new_text": PLAN})),
        Turn::call("propose_plan", json!({})).expecting("Adequacy"),
    ]
}

/// The turns that carry out the plan: a step with one edit, a step with two, and a step that adds a
/// test, each with a report.
pub fn executing() -> Vec<Turn> {
    let report =
        |summary: &str| Turn::call("report_progress", json!({"summary": summary, "done": true}));
    vec![
        Turn::call(
            "edit_file",
            json!({
                "path": "report/table.py",
                "old_text": "from report.rows import total\n",
                "new_text": "import json\n\nfrom report.rows import total\n\n\ndef render_json(rows):\n    return json.dumps(rows)\n",
            }),
        ),
        report("render_json prints the rows"),
        Turn::call(
            "edit_file",
            json!({
                "path": "report/cli.py",
                "old_text": "def run(path, out):\n    rows = load(path)\n",
                "new_text": "def run(path, out, as_json=False):\n    rows = load(path)\n    if as_json:\n        print(render_json(rows), file=out)\n        return total(rows)\n",
            }),
        )
        .and_call(
            "edit_file",
            json!({
                "path": "report/cli.py",
                "old_text": "from report.table import render_rows\n",
                "new_text": "from report.table import render_json, render_rows\n",
            }),
        )
        .and_call(
            "edit_file",
            json!({
                "path": "report/cli.py",
                "old_text": "    if len(sys.argv) != 2:\n        sys.exit(\"usage: python3 -m report FILE\")\n    run(sys.argv[1], sys.stdout)\n",
                "new_text": "    words = [word for word in sys.argv[1:] if word != \"--json\"]\n    if len(words) != 1:\n        sys.exit(\"usage: python3 -m report [--json] FILE\")\n    run(words[0], sys.stdout, \"--json\" in sys.argv)\n",
            }),
        ),
        report("the flag is taken"),
        Turn::call(
            "write_file",
            json!({"path": "tests/test_json.py", "content": TEST}),
        ),
        report("both ways are tested"),
    ]
}

/// A home configured to use this server as its model.
pub fn home_with(server: &ModelServer) -> Home {
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", "scripted")
        .with_env("PLANWRIGHT_API_KEY", "sk-test-1234567890")
}

/// Writes settings with which a weak plan is accepted as proposed, without trying another solver.
pub fn take_what_is_offered(home: &Home) {
    home.write_settings(&json!({
        "plannerFallbackOrder": ["planner-default"],
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    }));
}

/// Plans the goal and returns the last line of `plan --json`.
#[track_caller]
pub fn plan(home: &Home, project: &Project) -> Value {
    home.planwright(project, ["plan", GOAL, "--json"])
        .expect(0)
        .last_json()
}
