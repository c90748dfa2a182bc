//! Helpers for writing scenarios.

use serde_json::json;

use super::{Act, Check, Hopeless, Planted, RightEnd, Scenario, Step, Trouble};

/// A scenario without files and steps, to be extended by the methods of [`Scenario`].
pub(super) fn scenario(id: &'static str, name: &'static str, goal: &str) -> Scenario {
    Scenario {
        id,
        name,
        goal: goal.to_owned(),
        files: Vec::new(),
        steps: Vec::new(),
        checks: Vec::new(),
        held_out: false,
        window: None,
        trouble: None,
        end: RightEnd::Done,
        questions: 0,
        answers: Vec::new(),
    }
}

impl Scenario {
    pub(super) fn file(mut self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.files
            .push((path.to_owned(), content.as_ref().to_vec()));
        self
    }

    pub(super) fn step(mut self, step: Step) -> Self {
        let number = self
            .steps
            .iter()
            .filter(|step| step.id.starts_with('T'))
            .count()
            + 1;
        let id = if step.id.is_empty() {
            format!("T{number}")
        } else {
            step.id.clone()
        };
        self.steps.push(Step { id, ..step });
        self
    }

    pub(super) fn check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    pub(super) fn has(self, path: &str, part: &str) -> Self {
        self.check(Check::Has(path.to_owned(), part.to_owned()))
    }

    pub(super) fn lacks(self, path: &str, part: &str) -> Self {
        self.check(Check::Lacks(path.to_owned(), part.to_owned()))
    }

    pub(super) fn python(self, script: &str) -> Self {
        self.check(Check::Python(script.to_owned()))
    }

    pub(super) fn held_out(mut self) -> Self {
        self.held_out = true;
        self
    }

    pub(super) fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }

    pub(super) fn trouble(mut self, trouble: Trouble) -> Self {
        self.trouble = Some(trouble);
        self
    }

    pub(super) fn asked(mut self, questions: usize, answers: &[&str]) -> Self {
        self.questions = questions;
        self.answers = answers.iter().map(|&answer| answer.to_owned()).collect();
        self
    }

    pub(super) fn ends_asked(mut self) -> Self {
        self.end = RightEnd::AskedOrGivenUp;
        self
    }
}

/// A step without acts, to be extended by the methods of [`Step`].
pub(super) fn step(what: &str, why: &str) -> Step {
    Step {
        id: String::new(),
        what: what.to_owned(),
        why: why.to_owned(),
        files: Vec::new(),
        acts: Vec::new(),
        fact: None,
        needs: None,
        verify: None,
        hopeless: None,
        lines: Vec::new(),
    }
}

impl Step {
    fn act(mut self, act: Act) -> Self {
        if let Some(path) = act.path()
            && !self.files.iter().any(|named| named == path)
        {
            self.files.push(path.to_owned());
        }
        self.acts.push(act);
        self
    }

    pub(super) fn named(mut self, id: &str) -> Self {
        id.clone_into(&mut self.id);
        self
    }

    pub(super) fn line(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    /// Adds a file that the step names.
    pub(super) fn on(mut self, path: &str) -> Self {
        self.files.push(path.to_owned());
        self
    }

    pub(super) fn read(self, path: &str, shows: &str) -> Self {
        self.look("read_file", json!({"path": path}), shows)
    }

    pub(super) fn search(self, pattern: &str, shows: &str) -> Self {
        self.look("search_files", json!({"pattern": pattern}), shows)
    }

    pub(super) fn look(
        self,
        tool: &'static str,
        arguments: serde_json::Value,
        shows: &str,
    ) -> Self {
        let shows = shows.to_owned();
        self.act(Act::Look {
            tool,
            arguments,
            shows,
        })
    }

    pub(super) fn edit(self, path: &str, old: &str, new: &str) -> Self {
        let (path, old, new) = (path.to_owned(), old.to_owned(), new.to_owned());
        self.act(Act::Edit { path, old, new })
    }

    pub(super) fn write(self, path: &str, content: &str) -> Self {
        let (path, content) = (path.to_owned(), content.to_owned());
        self.act(Act::Write { path, content })
    }

    pub(super) fn delete(self, path: &str) -> Self {
        self.act(Act::Delete {
            path: path.to_owned(),
        })
    }

    pub(super) fn run(self, command: &str, shows: &str) -> Self {
        let (command, shows) = (command.to_owned(), shows.to_owned());
        self.act(Act::Run { command, shows })
    }

    pub(super) fn ask(self, question: &str, options: &[&str]) -> Self {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        self.act(Act::Ask {
            question: question.to_owned(),
            options,
        })
    }

    pub(super) fn finds(mut self, token: &str, text: &str) -> Self {
        self.fact = Some(Planted {
            token: token.to_owned(),
            text: text.to_owned(),
        });
        self
    }

    pub(super) fn needs(mut self, token: &str) -> Self {
        self.needs = Some(token.to_owned());
        self
    }

    pub(super) fn verify(mut self, command: &str) -> Self {
        self.verify = Some(command.to_owned());
        self
    }

    pub(super) fn hopeless(mut self, how: Hopeless) -> Self {
        self.hopeless = Some(how);
        self
    }
}
