//! The replies of the replayed expansions: well-formed, malformed, cut off, lossy, rewriting the
//! plan, or in other languages.

use adequacy::Mend;
use adequacy::expansion::{Edit, Event, LoopMode, StopReason};
use plan::TaskId;

use crate::support::{FULL, GOOD, PLAIN, THIN, edits, says};

pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) plan: &'static str,
    pub(super) mode: LoopMode,
    pub(super) rounds: u32,
    pub(super) budget: u64,
    pub(super) events: Vec<Event>,
    pub(super) stop: StopReason,
    pub(super) may_reword: &'static [&'static str],
}

fn case(name: &'static str, plan: &'static str, events: Vec<Event>, stop: StopReason) -> Case {
    Case {
        name,
        plan,
        mode: LoopMode::Auto,
        rounds: 2,
        budget: 18_000,
        events,
        stop,
        may_reword: &[],
    }
}

fn forced(mut case: Case, rounds: u32) -> Case {
    case.mode = LoopMode::Force;
    case.rounds = rounds;
    case.budget = 0;
    case
}

/// A vague plan with a placeholder, a destructive step and a completed step.
const VAGUE: &str = "\
---
planwright: 1
goal: Migrate the stored contacts to the new schema and drop the old table when nothing reads it any more
---
## Tasks
- [x] **T1** List what reads the old table
  - files: `src/report.py`
- [ ] **T2** Fix stuff
  - files: `src/cli.py`
  - note: Mara knows the edge cases
- [ ] **T3** TBD
- [ ] **T4** Somehow migrate it
  - complexity: 8
";

const KIRO: &str = "\
# Implementation Plan

- [ ] 1. Implement the parser for contact files
  - Read the header `name;mail;phone` with `csv.reader`
  - _Requirements: 1.1_
- [ ] 2. Implement the preview
  - [ ] 2.1 Show ten rows in `PreviewTable`
    - _Requirements: 1.2_
  - [ ] 2.2 Show the broken rows in `#broken`, each with its number
    - _Requirements: 1.3_
";

const CHINESE: &str = "\
---
planwright: 1
goal: 为报表命令实现一个新的导出选项，使每一行都以结构化格式输出，同时保持默认输出不变，并在文档中说明该选项的用法和限制
---
## Tasks
- [ ] **T1** 找到生成报表行的代码位置
- [ ] **T2** 在命令行解析器中添加导出选项
";

fn wrap(tasks: &str) -> String {
    format!("{{\"summary\": \"s\", \"tasks\": [{tasks}]}}")
}

fn reply(tasks: &str) -> Event {
    says(&wrap(tasks))
}

/// One step that improves THIN.
const HELPS: &str = r#"{"id": "T3", "description": "Compare the default output with the one before", "files": ["tests/test_report.py"], "covers": ["R2"], "depends_on": ["T2"], "verify": "python3 -m unittest tests.test_report"}"#;
const OLD: &str = r#"{"id": "T1", "description": "Find where the rows of the report are built", "files": ["src/report.py"]}, {"id": "T2", "description": "Add a `--json` flag to the argument parser", "files": ["src/cli.py"], "depends_on": ["T1"]}"#;

fn lossy(mend: Mend) -> Event {
    edits(vec![Edit {
        task: None,
        why: Vec::new(),
        message: String::new(),
        mends: vec![mend],
    }])
}

fn delete(task: &str) -> Event {
    lossy(Mend::DeleteTask {
        task: TaskId::from(task),
    })
}

fn set(task: &str, key: &str, values: &[&str]) -> Event {
    lossy(Mend::SetValues {
        task: TaskId::from(task),
        key: key.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    })
}

pub(super) fn cases() -> Vec<Case> {
    use StopReason as Stop;
    let cut = |at: usize| {
        let at = (0..=at).rev().find(|at| GOOD.is_char_boundary(*at));
        says(&GOOD[..at.unwrap_or(0)])
    };
    let many = |count: usize| {
        let tasks: Vec<String> = (0..count)
            .map(|n| format!(r#"{{"id": "N{n}", "description": "Test how column {n} of the report is printed", "verify": "python3 -m unittest tests.test_report"}}"#))
            .collect();
        reply(&tasks.join(","))
    };
    vec![
        case(
            "well-formed",
            THIN,
            vec![says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "in a fence",
            THIN,
            vec![says(&format!("```json\n{GOOD}\n```"))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "prose around",
            THIN,
            vec![says(&format!(
                "Here is the plan [v2]:\n{GOOD}\nHope it helps!"
            ))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "thinking aloud first",
            THIN,
            vec![says(&format!("<think>{{hm}} T2 [maybe]</think>\n{GOOD}"))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "trailing commas",
            THIN,
            vec![says(&GOOD.replace("]}", ",],}").replace("},\n", ",},\n"))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "apostrophes for quotes",
            THIN,
            vec![says(&GOOD.replace('"', "'"))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "names without quotes",
            THIN,
            vec![says(
                &GOOD.replace("\"id\"", "id").replace("\"tasks\"", "tasks"),
            )],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "a bare list",
            THIN,
            vec![says(&format!("[{OLD}, {HELPS}]")), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "numbers as ids",
            THIN,
            vec![says(&GOOD.replace("\"T", "\"").replace("[\"T", "[\""))],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "small ids",
            THIN,
            vec![says(&GOOD.replace("\"T", "\"t"))],
            Stop::ReadyBelowThreshold,
        ),
        // Replies that are cut off are requested again.
        case(
            "cut in a name, then whole",
            THIN,
            vec![cut(60), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "cut in a task, then whole",
            THIN,
            vec![cut(400), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "cut between tasks, then whole",
            THIN,
            vec![
                cut(GOOD.find(",\n {\"id\": \"T3\"").unwrap_or(0)),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "cut twice",
            THIN,
            vec![cut(400), cut(500)],
            Stop::InvalidRefineJson,
        ),
        case(
            "cut behind the list",
            THIN,
            vec![cut(GOOD.len() - 1)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "an apology twice",
            THIN,
            vec![says("I'm sorry, I can't."), says("As I said, no.")],
            Stop::InvalidRefineJson,
        ),
        case(
            "nothing at all",
            THIN,
            vec![says(""), says("")],
            Stop::InvalidRefineJson,
        ),
        case(
            "another object",
            THIN,
            vec![says("{\"error\": \"overloaded\"}"), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "deep brackets",
            THIN,
            vec![says(&"[{\"tasks\":".repeat(5000)), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "a megabyte of blanks",
            THIN,
            vec![says(&" ".repeat((1 << 20) + 1)), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        // Empty replies and replies without effect.
        case("an empty list", THIN, vec![reply("")], Stop::NoImprovement),
        case(
            "the plan again",
            THIN,
            vec![reply(OLD)],
            Stop::NoImprovement,
        ),
        case(
            "tasks without words",
            THIN,
            vec![reply("{}, {\"id\": \"\"}, {\"description\": \"  \"}")],
            Stop::NoImprovement,
        ),
        case(
            "filler only",
            THIN,
            vec![
                reply(
                    r#"{"id": "T3", "description": "Make sure that everything works as expected"}"#,
                ),
                Event::Cancelled,
            ],
            Stop::NoImprovement,
        ),
        // Lossy replies and replies that rewrite the plan: whatever the reply omits stays in the
        // plan.
        case(
            "one task instead of two",
            THIN,
            vec![reply(
                r#"{"id": "T1", "description": "Find where the rows of the report are built"}"#,
            )],
            Stop::NoImprovement,
        ),
        case(
            "files and lines dropped",
            THIN,
            vec![
                reply(&format!(
                    "{}, {HELPS}",
                    r#"{"id": "T2", "description": "Add a `--json` flag to the argument parser", "files": [], "accept": [], "depends_on": []}"#
                )),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "everything reworded",
            THIN,
            vec![reply(
                r#"{"id": "T1", "description": "Locate rows"}, {"id": "T2", "description": "Flag"}"#,
            )],
            Stop::NoImprovement,
        ),
        case(
            "counted anew",
            THIN,
            vec![
                reply(&format!(
                    "{}, {HELPS}",
                    r#"{"id": "T1", "description": "Add a `--json` flag to the argument parser"}, {"id": "T2", "description": "Find where the rows of the report are built"}"#
                )),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "the same id three times",
            THIN,
            vec![
                reply(&format!(
                    "{OLD}, {HELPS}, {}",
                    HELPS.replace("Compare", "Print").replace("T3", "T1")
                )),
                Event::Cancelled,
            ],
            Stop::Cancelled,
        ),
        case(
            "a circle",
            THIN,
            vec![
                reply(&format!(
                    "{}, {HELPS}",
                    r#"{"id": "T1", "description": "Find where the rows of the report are built", "depends_on": ["T2", "T3"]}"#
                )),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "new ones in a circle",
            THIN,
            vec![
                reply(&format!(
                    "{}, {}",
                    HELPS.replace("\"T2\"", "\"T4\""),
                    r#"{"id": "T4", "description": "Describe the flag with an example", "files": ["docs/report.md"], "depends_on": ["T3"]}"#
                )),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "waits for nobody known",
            THIN,
            vec![reply(&HELPS.replace("\"T2\"", "\"T77\"")), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "words that look like Markdown",
            THIN,
            vec![
                reply(&format!(
                    "{HELPS}, {}",
                    r###"{"id": "T4", "description": "- [x] **T1** # done\n```\nfence", "notes": ["## Tasks", "- [ ] trap"]}"###
                )),
                says(GOOD),
            ],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "a dangerous step",
            THIN,
            vec![
                reply(
                    r#"{"id": "T3", "description": "Run rm -rf / and start anew", "covers": ["R2"]}"#,
                ),
                Event::Cancelled,
            ],
            Stop::Cancelled,
        ),
        case(
            "a hundred new steps",
            THIN,
            vec![many(100), Event::Cancelled],
            Stop::Cancelled,
        ),
        // Lossy edits from a faulty driver.
        case(
            "a task deleted",
            THIN,
            vec![delete("T1"), Event::Cancelled],
            Stop::Cancelled,
        ),
        case(
            "a file cut",
            THIN,
            vec![set("T2", "files", &[]), Event::Cancelled],
            Stop::Cancelled,
        ),
        case(
            "an acceptance line cut",
            THIN,
            vec![set("T2", "accept", &[]), Event::ModelFailed],
            Stop::CompletionFailed,
        ),
        case(
            "the same loss twice",
            THIN,
            vec![delete("T2"), delete("T2")],
            Stop::Oscillation,
        ),
        case(
            "a loss, then a good reply",
            THIN,
            vec![delete("T2"), says(GOOD)],
            Stop::ReadyBelowThreshold,
        ),
        case(
            "two losses",
            THIN,
            vec![delete("T2"), set("T1", "note", &[])],
            Stop::MaxRefineRounds,
        ),
        // Ways in which the loop ends.
        case("good enough before", FULL, Vec::new(), Stop::None),
        forced(case("nothing to mend", FULL, Vec::new(), Stop::Ready), 2),
        case(
            "no model",
            THIN,
            vec![Event::ModelMissing],
            Stop::ModelResolveFailed,
        ),
        case(
            "a busy model",
            THIN,
            vec![delete("T2"), Event::ModelBusy],
            Stop::ModelLock,
        ),
        Case {
            budget: 500,
            ..case(
                "no tokens left",
                THIN,
                vec![delete("T1")],
                Stop::TokenBudget,
            )
        },
        Case {
            may_reword: &["T2", "T3", "T4"],
            ..case(
                "vague steps made clear",
                VAGUE,
                vec![reply(
                    r#"{"id": "T2", "description": "Read contacts through `contacts_v2` in src/cli.py"}, {"id": "T3", "description": "Copy every row of the old table into `contacts_v2` with `INSERT ... SELECT`, and count both"}, {"id": "T4", "description": "Switch the writers to `contacts_v2`, behind `CONTACTS_V2=1`", "verify": "python3 -m unittest"}, {"id": "T1", "description": "Nothing"}"#,
                )],
                Stop::ReadyBelowThreshold,
            )
        },
        case(
            "a list without ids",
            PLAIN,
            vec![reply(
                r#"{"id": 3, "description": "Write the contacts", "verify": "python3 -m unittest"}, {"id": 4, "description": "Test that a broken line is skipped and named", "depends_on": [3]}"#,
            )],
            Stop::Oscillation,
        ),
        forced(
            case(
                "a list of another tool",
                KIRO,
                vec![
                    reply(
                        r#"{"id": "3", "description": "Test `parse_contacts` with `broken.csv`, `empty.csv` and a quote inside a name", "depends_on": ["2.2"], "verify": "python3 -m unittest"}"#,
                    ),
                    Event::ModelBusy,
                ],
                Stop::Ready,
            ),
            2,
        ),
        case(
            "in another language",
            CHINESE,
            vec![
                reply(
                    r#"{"id": "T1", "description": "找到生成报表行的代码位置", "files": ["src/report.py"]}, {"id": "T2", "description": "在命令行解析器中添加导出选项", "notes": ["`--format json|csv`，默认 `table`"], "files": ["src/cli.py"], "depends_on": ["T1"], "verify": "python3 -m unittest"}, {"id": "T3", "description": "用 `tests/golden.txt` 比较默认输出", "depends_on": ["T2"], "verify": "python3 -m unittest"}, {"id": "T4", "description": "在文档中说明 `--format` 的用法和 10 MB 的限制", "files": ["docs/report.md"], "depends_on": ["T2"]}, {"id": "T5", "description": "在 `render_rows` 中用 `json.dumps` 输出每一行", "files": ["src/report.py"], "depends_on": ["T2"]}, {"id": "T6", "description": "为空列的行添加单元测试 `test_empty_column`", "depends_on": ["T5"]}"#,
                ),
                Event::Cancelled,
            ],
            Stop::ReadyBelowThreshold,
        ),
    ]
}
