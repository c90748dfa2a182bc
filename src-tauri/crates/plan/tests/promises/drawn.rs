//! Random plans and edits, reproducible from a seed.

/// The number of random cases: `usual`, or the value of `PLANWRIGHT_CASES` for a long run.
pub(super) fn cases(usual: usize) -> usize {
    let asked = std::env::var("PLANWRIGHT_CASES").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(usual)
}

/// A pseudorandom generator (xorshift).
#[derive(Debug)]
pub(super) struct Drawn {
    state: u64,
    next_task: usize,
}

impl Drawn {
    pub(super) fn new(seed: u64) -> Self {
        let state = seed ^ 0x9e37_79b9_7f4a_7c15;
        Self {
            state,
            next_task: 100,
        }
    }

    /// A random number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 33) as usize % end.max(1)
    }

    pub(super) fn words(&mut self) -> String {
        const WORDS: [&str; 24] = [
            "add", "the", "parser", "report", "flag", "test", "write", "docs", "row", "json",
            "output", "check", "move", "store", "cache", "read", "error", "path", "window", "plan",
            "step", "retry", "field", "name",
        ];
        let count = 2 + self.below(6);
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(" ")
    }

    /// The lines of a plan with 30 to 90 tasks.
    pub(super) fn plan(&mut self) -> Vec<String> {
        let tasks = 30 + self.below(61);
        self.plan_of(tasks)
    }

    /// Restarts the numbering of new tasks from the initial number.
    pub(super) fn forget_ids(&mut self) {
        self.next_task = 100;
    }

    pub(super) fn plan_of(&mut self, tasks: usize) -> Vec<String> {
        let mut lines = vec![
            "# Plan\n".to_owned(),
            "\n".to_owned(),
            "## Tasks\n".to_owned(),
        ];
        for at in 1..=tasks {
            lines.extend(self.task(at));
        }
        lines
    }

    pub(super) fn task(&mut self, number: usize) -> Vec<String> {
        let mut lines = vec![format!("- [ ] **T{number}** {}\n", self.words())];
        for _ in 0..self.below(4) {
            lines.push(self.key());
        }
        if self.below(5) == 0 {
            lines.push(format!("  - [ ] **T{number}.1** {}\n", self.words()));
            lines.push(format!("  {}", self.key()));
        }
        lines
    }

    fn key(&mut self) -> String {
        const KEYS: [&str; 6] = ["files", "accept", "verify", "note", "covers", "complexity"];
        let key = KEYS[self.below(KEYS.len())];
        if key == "complexity" {
            return format!("  - {key}: {}\n", 1 + self.below(9));
        }
        format!("  - {key}: {}\n", self.words().replace(' ', ", "))
    }

    fn heads(lines: &[String]) -> Vec<usize> {
        (0..lines.len())
            .filter(|at| lines[*at].starts_with("- ["))
            .collect()
    }

    /// An edit that a user or a program might make.
    pub(super) fn edit(&mut self, lines: &mut Vec<String>) {
        let heads = Self::heads(lines);
        if heads.is_empty() {
            let task = self.task(self.next_task);
            lines.extend(task);
            return;
        }
        let which = self.below(heads.len());
        let head = heads[which];
        let end = heads.get(which + 1).copied().unwrap_or(lines.len());
        match self.below(9) {
            0 => {
                let id = lines[head].split("**").nth(1).unwrap_or("T1").to_owned();
                let words = self.words();
                lines[head] = format!("- [ ] **{id}** {words}\n");
            }
            1 => {
                let words = self.words();
                let line = lines[head].trim_end().to_owned();
                lines[head] = format!("{line} {words}\n");
            }
            2 => lines[head] = lines[head].replacen("[ ]", "[x]", 1),
            3 | 4 => {
                let key = self.key();
                lines.insert(end, key);
            }
            5 if end > head + 1 => {
                let at = head + 1 + self.below(end - head - 1);
                lines[at] = self.key();
            }
            6 if end > head + 1 => {
                let at = head + 1 + self.below(end - head - 1);
                lines.remove(at);
            }
            7 if heads.len() > 3 => {
                let task: Vec<String> = lines.drain(head..end).collect();
                if self.below(2) == 0 {
                    let heads = Self::heads(lines);
                    let at = heads[self.below(heads.len())];
                    lines.splice(at..at, task);
                }
            }
            _ => {
                self.next_task += 1;
                let number = self.next_task;
                let task = self.task(number);
                lines.splice(end..end, task);
            }
        }
    }
}
