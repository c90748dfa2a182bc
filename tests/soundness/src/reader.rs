//! The oracle's own parser for plan files: line by line, for the Markdown that
//! [`program`](crate::program) writes and [`edits`](crate::edits) changes. Shares nothing with the
//! parser under test.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A task line and everything that belongs to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// The id of the task.
    pub id: String,
    /// The index of the enclosing task in [`Reading::blocks`]; `None` at the top level.
    pub parent: Option<usize>,
    /// Whether its box is ticked.
    pub is_ticked: bool,
    /// Whether it has a `skipped:` line.
    pub is_skipped: bool,
    /// The task's own lines: without sub-tasks, ticks, `skipped:`, comments, blank lines and
    /// indentation.
    pub own: String,
    /// Its line range in the file.
    pub lines: Range<usize>,
    /// The number of spaces before its bullet.
    pub indent: usize,
}

/// A parsed plan file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Front matter and prose before the tasks, without the requirements.
    pub base: String,
    /// The requirements by number.
    pub requirements: BTreeMap<usize, String>,
    /// The tasks in file order.
    pub blocks: Vec<Block>,
    /// The index of the line `## Tasks`, if there is one.
    pub tasks_line: Option<usize>,
}

/// A structural difference from the approved file: the id of a step, and its current structure.
pub type Difference = (String, String);

impl Reading {
    /// Parses the text of a plan file.
    pub fn of(text: &str) -> Self {
        let mut reading = Self::default();
        let (mut is_fenced, mut is_comment) = (false, false);
        let (mut is_inside, mut in_requirements) = (false, false);
        let mut fence_of = None;
        for (number, raw) in text.split('\n').enumerate() {
            let line = raw.trim();
            if is_comment || (!is_fenced && line.starts_with("<!--")) {
                is_comment = !line.contains("-->");
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let indent = raw.len() - raw.trim_start().len();
            if is_fenced || line.starts_with("```") {
                if !is_fenced {
                    // A fence belongs to the task under which it is indented, if any.
                    let owner = reading
                        .blocks
                        .iter()
                        .rposition(|block| block.indent < indent);
                    fence_of = owner.filter(|_| is_inside);
                }
                is_fenced ^= line.starts_with("```");
                if let Some(owner) = fence_of {
                    reading.blocks[owner].own.push_str(line);
                }
                continue;
            }
            if line.starts_with('#') {
                in_requirements = line == "## Requirements";
                is_inside = false;
                if line == "## Tasks" {
                    reading.tasks_line.get_or_insert(number);
                }
            }
            let bullet = ["- ", "* ", "+ "]
                .iter()
                .find_map(|mark| line.strip_prefix(mark));
            if let Some(mut block) = bullet.and_then(task) {
                let above = reading
                    .blocks
                    .iter()
                    .rposition(|block| block.indent < indent);
                block.parent = above.filter(|_| is_inside);
                block.indent = indent;
                block.lines = number..number + 1;
                reading.blocks.push(block);
                is_inside = true;
                continue;
            }
            let words = bullet.map_or_else(|| line.to_owned(), |rest| format!("- {rest}"));
            match reading.blocks.last_mut().filter(|_| is_inside) {
                Some(block) => {
                    block.lines.end = number + 1;
                    if words.starts_with("- skipped:") {
                        block.is_skipped = true;
                    } else {
                        block.own.push_str(&words);
                        block.own.push('\n');
                    }
                }
                None if reading.tasks_line.is_some() => {}
                None => match requirement(&words).filter(|_| in_requirements) {
                    Some(number) => drop(reading.requirements.insert(number, words)),
                    None => {
                        reading.base.push_str(&words);
                        reading.base.push('\n');
                    }
                },
            }
        }
        reading
    }

    /// The block with this id, if there is exactly one.
    pub fn block(&self, id: &str) -> Option<&Block> {
        let mut of_id = self.blocks.iter().filter(|block| block.id == id);
        of_id.next().filter(|_| of_id.next().is_none())
    }

    /// Whether a task has sub-tasks.
    pub fn is_group(&self, id: &str) -> bool {
        let parents = self.blocks.iter().filter_map(|block| block.parent);
        parents
            .into_iter()
            .any(|parent| self.blocks[parent].id == id)
    }

    /// Everything in the file that a step relies on, except other steps. `None` unless the step
    /// occurs exactly once.
    pub fn rests_on(&self, id: &str) -> Option<String> {
        let block = self.block(id)?;
        let mut text = format!("{}\n{}", self.base, block.own);
        let mut covers = numbers(&block.own);
        let mut at = block.parent;
        while let Some(parent) = at {
            let group = &self.blocks[parent];
            text.push_str(&group.own);
            covers.extend(numbers(&group.own));
            at = group.parent;
        }
        for (number, words) in &self.requirements {
            if covers.contains(number) {
                text.push_str(words);
            }
        }
        Some(text)
    }

    /// The structural differences from the approved file.
    pub fn differs_from(&self, approved: &Self) -> BTreeSet<Difference> {
        let mut differences = BTreeSet::new();
        let ids = |reading: &Self| -> BTreeSet<String> {
            reading
                .blocks
                .iter()
                .map(|block| block.id.clone())
                .collect()
        };
        let (was, is) = (ids(approved), ids(self));
        for id in was.union(&is) {
            let (before, now) = (approved.wiring(id), self.wiring(id));
            // The structure of a new step doesn't matter: it wasn't approved, so it isn't carried
            // out.
            let now = if was.contains(id) {
                now
            } else {
                "new".to_owned()
            };
            if before != now {
                differences.insert((id.clone(), now));
            }
        }
        // Compares the order of the blocks that occur exactly once in both files.
        let order = |reading: &Self| -> Vec<String> {
            let common = reading.blocks.iter().map(|block| &block.id);
            let once = common.filter(|id| approved.block(id).is_some() && self.block(id).is_some());
            once.cloned().collect()
        };
        let (was, is) = (order(approved), order(self));
        for (at, id) in is.iter().enumerate() {
            for later in &is[at + 1..] {
                let place = |one: &String| was.iter().position(|id| id == one);
                if place(id) > place(later) {
                    differences.insert((later.clone(), format!("behind {id}")));
                }
            }
        }
        differences
    }

    /// The structure of all blocks with this id: their parents, kinds, dependencies and options.
    fn wiring(&self, id: &str) -> String {
        let mut words = String::new();
        for block in self.blocks.iter().filter(|block| block.id == id) {
            let parent = block.parent.map(|parent| self.blocks[parent].id.as_str());
            words.push_str(&format!("in {parent:?};"));
            // The order and repetition of these lines are irrelevant.
            let keys = ["- type:", "- confirm:", "- depends:"];
            let lines = block.own.lines();
            let keyed = lines.filter(|line| keys.iter().any(|key| line.starts_with(key)));
            for line in keyed.collect::<BTreeSet<_>>() {
                words.push_str(line.trim());
                words.push(';');
            }
            let is_decision = block.own.contains("- type: decision");
            for option in block
                .own
                .lines()
                .filter_map(|line| line.strip_prefix("- option:"))
            {
                // Only an option's target matters, not its label.
                let leads = option.rsplit("->").next().unwrap_or_default().trim();
                let known = ["review", "stop", "skip"];
                let is_known = known.iter().any(|word| leads.starts_with(word));
                // Outside of decisions, any other target means "continue".
                words.push_str(if is_decision || is_known {
                    leads
                } else {
                    "continue"
                });
                words.push(';');
            }
        }
        words
    }
}

/// Parses a task line after its bullet.
fn task(line: &str) -> Option<Block> {
    let rest = line.strip_prefix('[')?;
    let mut letters = rest.chars();
    let marker = letters.next()?;
    let rest = letters.as_str().strip_prefix(']')?.trim_start();
    let (id, title) = rest.strip_prefix("**")?.split_once("**")?;
    Some(Block {
        id: id.to_owned(),
        is_ticked: matches!(marker, 'x' | 'X'),
        // Ignores emphasis; generated titles contain no asterisks.
        own: format!("{}\n", title.trim().replace('*', "")),
        ..Block::default()
    })
}

fn requirement(words: &str) -> Option<usize> {
    let (id, _) = words.strip_prefix("- R")?.split_once(' ')?;
    id.parse().ok()
}

/// The requirements in a `covers:` line.
fn numbers(own: &str) -> Vec<usize> {
    let line = own.lines().find_map(|line| line.strip_prefix("- covers:"));
    let names = line.into_iter().flat_map(|line| line.split(','));
    names
        .filter_map(|name| name.trim().strip_prefix('R')?.parse().ok())
        .collect()
}
