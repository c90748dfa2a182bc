//! A simulated workspace: files in memory, commands as pure functions of them, tools that fail at
//! random.

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::CallOutcome;
use agent::verification::FileHashes;
use plan::{Revision, ToolCall};

use crate::dice::Dice;

/// The files and their history.
#[derive(Debug, Clone)]
pub struct World {
    /// The files by path.
    pub files: BTreeMap<String, String>,
    /// Every change, in order.
    pub changes: Vec<String>,
    /// Whether each call succeeded, by step id and call number. Preparing a call removes its entry.
    ended: BTreeMap<(String, usize), bool>,
    /// Command lines that ran before. Only the first execution of each can fail at random.
    drawn: BTreeSet<String>,
    dice: Dice,
    /// Percentage of command lines that fail the first time.
    failing: usize,
}

impl World {
    /// Creates a workspace with a few files.
    pub fn new(dice: Dice, failing: usize) -> Self {
        let files = ["f1", "f2"].map(|name| (name.to_owned(), "old".to_owned()));
        Self {
            files: files.into(),
            changes: Vec::new(),
            ended: BTreeMap::new(),
            drawn: BTreeSet::new(),
            dice,
            failing,
        }
    }

    /// Prepares a call and forgets the result of an earlier call with the same number.
    pub fn prepare(&mut self, task: &str, call: usize) {
        self.ended.remove(&(task.to_owned(), call));
    }

    /// Records that a step's changes were undone.
    pub fn take_back(&mut self, task: &str) {
        self.ended.retain(|(of, _), _| of != task);
    }

    /// The result of the call last prepared under this number; `None` if it hasn't ended.
    pub fn ended(&self, task: &str, call: usize) -> Option<bool> {
        self.ended.get(&(task.to_owned(), call)).copied()
    }

    /// Executes a call.
    pub fn perform(&mut self, task: &str, call: usize, tool: &ToolCall) -> CallOutcome {
        let line = tool.to_line();
        let path = tool.path().unwrap_or_default().to_owned();
        let before = self.files.get(&path).cloned();
        let ok = !self.fails(&line) && self.act(tool, &path);
        self.ended.insert((task.to_owned(), call), ok);
        let hash = |text: &String| Revision::of(text.as_bytes()).as_str().to_owned();
        let file = FileHashes {
            before: before.as_ref().map(hash),
            after: self.files.get(&path).map(hash),
            path,
        };
        let command = tool.string("command").map(str::to_owned);
        CallOutcome {
            ok,
            file: (!tool.tool.is_read_only() && command.is_none()).then(|| Box::new(file)),
            exit_code: command.as_ref().map(|_| i32::from(!ok)),
            command,
            summary: line,
            ..CallOutcome::default()
        }
    }

    fn act(&mut self, tool: &ToolCall, path: &str) -> bool {
        match tool.tool.as_str() {
            "write_file" => {
                let content = tool.string("content").unwrap_or_default().to_owned();
                self.changes.push(format!("write {path} {content}"));
                self.files.insert(path.to_owned(), content);
                true
            }
            "edit_file" => {
                let (old, new) = (tool.string("old_text"), tool.string("new_text"));
                match (self.files.get_mut(path), old, new) {
                    (Some(text), Some(old), Some(new)) if text.matches(old).count() == 1 => {
                        *text = text.replacen(old, new, 1);
                        self.changes.push(format!("edit {path}"));
                        true
                    }
                    _ => false,
                }
            }
            "delete_file" => {
                self.changes.push(format!("delete {path}"));
                self.files.remove(path);
                true
            }
            "run_command" => self.run(tool.string("command").unwrap_or_default()),
            "read_file" => true,
            _ => true,
        }
    }

    /// Runs a command line; returns whether it succeeds.
    fn run(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["make", what] = words.as_slice() {
            self.changes.push(format!("make {what}"));
            let log = self.files.entry("log".to_owned()).or_default();
            log.push_str(what);
            log.push('\n');
            return true;
        }
        self.holds(line)
    }

    /// Whether a check passes on the current files; changes nothing.
    pub fn holds(&self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["grep", "-qx", value, file] => self.files.get(*file).is_some_and(|text| text == value),
            ["true"] => true,
            _ => false,
        }
    }

    /// Runs a check of a step or of the goal.
    pub fn check(&mut self, line: &str) -> CallOutcome {
        let ok = !self.fails(line) && self.holds(line);
        CallOutcome {
            ok,
            summary: format!("check {line}"),
            command: Some(line.to_owned()),
            exit_code: Some(i32::from(!ok)),
            ..CallOutcome::default()
        }
    }

    fn fails(&mut self, line: &str) -> bool {
        self.drawn.insert(line.to_owned()) && self.dice.chance(self.failing)
    }
}
