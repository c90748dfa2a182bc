//! Edits that other programs make to the plan file.

use crate::dice::Dice;
use crate::reader::Reading;

/// The kinds of edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    /// Adds prose below the tasks.
    Prose,
    /// Adds an HTML comment between two steps.
    Comment,
    /// Changes the layout of a step.
    Layout,
    /// Changes the line endings of the whole file.
    LineEndings,
    /// Ticks a box.
    Tick,
    /// Unticks a box.
    Untick,
    /// Adds a `skipped:` line to a step.
    Skip,
    /// Writes an answer under `## Decisions`.
    Answer,
    /// Deletes a step or gate.
    Delete,
    /// Moves a step.
    Move,
    /// Puts a step into an HTML comment.
    CommentOut,
    /// Puts a step into a code fence.
    Fence,
    /// Adds or removes `type:` or `confirm:`.
    Retype,
    /// Changes the dependencies of a step.
    Rewire,
    /// Duplicates a step and ticks the copy.
    Duplicate,
    /// Adds a step.
    Insert,
    /// Makes a step a sub-task of a ticked one.
    Nest,
    /// Changes the step that an option leads to.
    Lead,
    /// Changes a step's text.
    Words,
    /// Changes a step's call.
    Call,
    /// Removes a step's check.
    Check,
    /// Changes the goal.
    Goal,
    /// Changes the prose before the tasks.
    Preamble,
    /// Changes a requirement.
    Requirement,
    /// Replaces the file with another plan.
    Replace,
    /// Restores the approved text.
    Restore,
    /// Empties the file.
    Empty,
    /// Deletes the file.
    Remove,
}

impl Edit {
    /// Edits that do not affect an approval.
    pub const HONEST: [Self; 4] = [Self::Prose, Self::Comment, Self::Layout, Self::LineEndings];

    /// All edits; the more likely ones are listed more than once.
    const ALL: [Self; 32] = [
        Self::Prose,
        Self::Comment,
        Self::Layout,
        Self::LineEndings,
        Self::Tick,
        Self::Tick,
        Self::Tick,
        Self::Untick,
        Self::Skip,
        Self::Skip,
        Self::Answer,
        Self::Delete,
        Self::Delete,
        Self::Move,
        Self::CommentOut,
        Self::Fence,
        Self::Retype,
        Self::Rewire,
        Self::Rewire,
        Self::Duplicate,
        Self::Insert,
        Self::Nest,
        Self::Lead,
        Self::Words,
        Self::Call,
        Self::Call,
        Self::Check,
        Self::Goal,
        Self::Preamble,
        Self::Requirement,
        Self::Replace,
        Self::Restore,
    ];

    /// A random edit.
    pub fn draw(dice: &mut Dice, is_honest: bool) -> Self {
        if is_honest {
            return dice.pick(&Self::HONEST).copied().unwrap_or(Self::Prose);
        }
        match dice.roll(40) {
            0 => Self::Empty,
            1 => Self::Remove,
            _ => dice.pick(&Self::ALL).copied().unwrap_or(Self::Tick),
        }
    }

    /// The text after the edit: `None` if the file is deleted, or the same text if the edit doesn't
    /// apply.
    pub fn apply(self, dice: &mut Dice, text: &str, approved: &str) -> Option<String> {
        let reading = Reading::of(text);
        let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let at = dice.roll(reading.blocks.len());
        match self {
            Self::Remove => return None,
            Self::Empty => return Some(String::new()),
            Self::Restore => return Some(approved.to_owned()),
            Self::Replace => {
                let other = "# Another plan\n\n## Tasks\n- [ ] **T1** Do something else\n  - call: `run_command {\"command\": \"make other\"}`\n";
                return Some(other.to_owned());
            }
            Self::Prose => {
                let end = text.trim_end_matches(['\n', '\r']);
                return Some(format!("{end}\nSomebody called at {}.\n", dice.roll(24)));
            }
            Self::LineEndings => {
                let plain = text.replace("\r\n", "\n");
                let is_plain = plain.len() == text.len();
                return Some(if is_plain {
                    plain.replace('\n', "\r\n")
                } else {
                    plain
                });
            }
            Self::Answer => {
                let gates = reading
                    .blocks
                    .iter()
                    .filter(|block| block.own.contains("- type:"));
                let gates: Vec<&str> = gates.map(|block| block.id.as_str()).collect();
                let id = dice.pick(&gates).copied().unwrap_or("D1");
                let label = dice.pick(&["The first", "The second", "Continue"]).copied();
                let record = format!("- {id}: {} — Ann", label.unwrap_or_default());
                match lines.iter().position(|line| line.trim() == "## Decisions") {
                    Some(heading) => lines.insert(heading + 1, record),
                    None => lines.push(format!("\n## Decisions\n{record}\n")),
                }
            }
            Self::Goal => replace(&mut lines, "goal:", "goal: Have something else"),
            Self::Preamble => replace(&mut lines, "Keep the names.", "Do not keep the names."),
            Self::Requirement => replace(&mut lines, "- R1 ", "- R1 Something else is asked for"),
            _ => {
                if reading.blocks.get(at).is_none() {
                    return Some(text.to_owned());
                }
                self.change(dice, &mut lines, &reading, at);
            }
        }
        Some(lines.join("\n"))
    }

    /// Applies the edit to one block.
    fn change(self, dice: &mut Dice, lines: &mut Vec<String>, reading: &Reading, at: usize) {
        let block = &reading.blocks[at];
        // The lines of the block and its sub-tasks.
        let own = block.lines.clone();
        let below = reading.blocks[at + 1..]
            .iter()
            .take_while(|next| next.indent > block.indent);
        let whole = own.start..below.last().map_or(own.end, |last| last.lines.end);
        let indent = " ".repeat(block.indent);
        let key = |lines: &[String], name: &str| {
            let mut numbers = own.clone();
            numbers.find(|number| {
                lines[*number]
                    .trim()
                    .get(2..)
                    .is_some_and(|line| line.starts_with(name))
            })
        };
        let add = |lines: &mut Vec<String>, line: &str| {
            lines.insert(own.start + 1, format!("{indent}  - {line}"));
        };
        let other = dice
            .pick(&reading.blocks)
            .map_or("T1", |block| block.id.as_str());
        match self {
            Self::Comment => lines.insert(own.start, format!("{indent}<!-- looked at by Ann -->")),
            Self::Layout => {
                let first = &mut lines[own.start];
                *first = match dice.roll(4) {
                    0 => first.replacen("- [", "* [", 1),
                    1 => format!("{}  ", first.trim_end()),
                    2 => match first.trim_end().rsplit_once(' ') {
                        Some((before, last)) if !last.contains('*') => format!("{before} *{last}*"),
                        _ => first.clone(),
                    },
                    _ => first.clone(),
                };
                if dice.chance(50) && own.end > own.start + 1 {
                    lines.insert(own.start + 1, String::new());
                }
            }
            Self::Tick => lines[own.start] = lines[own.start].replacen("[ ]", "[x]", 1),
            Self::Untick => lines[own.start] = lines[own.start].replacen("[x]", "[ ]", 1),
            Self::Skip => add(lines, "skipped: no need"),
            Self::Delete => drop(lines.drain(whole)),
            Self::Move => {
                let moved: Vec<String> = lines.drain(whole.clone()).collect();
                let rest = Reading::of(&lines.join("\n"));
                let ends = rest.blocks.iter().filter(|one| one.indent == block.indent);
                let mut places: Vec<usize> = ends.map(|one| one.lines.start).collect();
                places.extend(rest.blocks.last().map(|last| last.lines.end));
                let to = dice.pick(&places).copied().unwrap_or(whole.start);
                lines.splice(to..to, moved);
            }
            Self::CommentOut | Self::Fence => {
                let (open, close) = match self {
                    Self::Fence => ("```", "```"),
                    _ => ("<!--", "-->"),
                };
                lines.insert(whole.end, format!("{indent}{close}"));
                lines.insert(whole.start, format!("{indent}{open}"));
            }
            Self::Retype => match (key(lines, "type:"), dice.chance(50)) {
                (Some(_), true) => add(lines, "confirm: no"),
                (Some(line), false) => drop(lines.remove(line)),
                (None, true) => add(lines, "type: checkpoint"),
                (None, false) => add(lines, "type: decision"),
            },
            Self::Rewire => match key(lines, "depends:") {
                Some(line) if dice.chance(30) => drop(lines.remove(line)),
                Some(line) => lines[line] = format!("{indent}  - depends: {other}"),
                None => add(lines, &format!("depends: {other}")),
            },
            Self::Duplicate => {
                let copy = lines[whole.clone()]
                    .iter()
                    .map(|line| line.replacen("[ ]", "[x]", 1));
                let copy: Vec<String> = copy.collect();
                lines.splice(whole.end..whole.end, copy);
            }
            Self::Insert => {
                let step = format!(
                    "{indent}- [ ] **T99** More\n{indent}  - call: `run_command {{\"command\": \"make more\"}}`"
                );
                lines.insert(own.start, step);
            }
            Self::Nest => {
                for line in &mut lines[whole.clone()] {
                    *line = format!("  {line}");
                }
                lines.insert(whole.start, format!("{indent}- [x] **T98** Group"));
            }
            Self::Lead => match key(lines, "option:") {
                Some(line) => lines[line] = format!("{indent}  - option: Continue -> {other}"),
                None => add(lines, "option: Continue -> continue"),
            },
            Self::Words => lines[own.start].push_str(" and more"),
            Self::Call => match key(lines, "call:") {
                Some(line) => {
                    lines[line] =
                        format!("{indent}  - call: `run_command {{\"command\": \"make stolen\"}}`")
                }
                None => add(lines, "call: `run_command {\"command\": \"make stolen\"}`"),
            },
            Self::Check => match key(lines, "verify:") {
                Some(line) => drop(lines.remove(line)),
                None => add(lines, "verify: `true`"),
            },
            _ => {}
        }
    }
}

fn replace(lines: &mut [String], begins: &str, with: &str) {
    if let Some(line) = lines
        .iter_mut()
        .find(|line| line.trim_start().starts_with(begins))
    {
        *line = with.to_owned();
    }
}
