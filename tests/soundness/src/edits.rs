//! What others do to the plan file.

use crate::dice::Dice;
use crate::reader::Reading;

/// The kinds of edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    /// Prose below the tasks.
    Prose,
    /// An HTML comment between two steps.
    Comment,
    /// Layout of one step.
    Layout,
    /// Line endings of the whole file.
    LineEndings,
    /// A box is ticked.
    Tick,
    /// A box is opened.
    Untick,
    /// A step gets a `skipped:` line.
    Skip,
    /// An answer is written under `## Decisions`.
    Answer,
    /// A step or gate is deleted.
    Delete,
    /// It is moved.
    Move,
    /// It is put into a comment.
    CommentOut,
    /// It is put into a fence.
    Fence,
    /// It becomes something else: `type:` or `confirm:` appears or goes.
    Retype,
    /// It depends on others.
    Rewire,
    /// It is there twice, the copy ticked.
    Duplicate,
    /// A step is added.
    Insert,
    /// It becomes a sub-task of a ticked one.
    Nest,
    /// An option leads elsewhere.
    Lead,
    /// A step's own words are changed.
    Words,
    /// A step's call is changed.
    Call,
    /// A step's check is taken out.
    Check,
    /// The goal is changed.
    Goal,
    /// The prose before the tasks is changed.
    Preamble,
    /// A requirement is changed.
    Requirement,
    /// The file is replaced by another plan.
    Replace,
    /// The approved text is put back.
    Restore,
    /// The file is emptied.
    Empty,
    /// The file is deleted.
    Remove,
}

impl Edit {
    /// Those that an approval does not speak of.
    pub const HONEST: [Self; 4] = [Self::Prose, Self::Comment, Self::Layout, Self::LineEndings];

    /// All of them; what is often tried first stands in it more than once.
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

    /// One of them.
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

    /// The text after the edit; `None` where the file is gone, the text as it was where the edit does not
    /// fit.
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

    /// Changes one block.
    fn change(self, dice: &mut Dice, lines: &mut Vec<String>, reading: &Reading, at: usize) {
        let block = &reading.blocks[at];
        // With its sub-tasks.
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
