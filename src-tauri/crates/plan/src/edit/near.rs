//! Tries a change of one task on the lines around it, without reading the whole text again.
//!
//! Which lines can tell is what [`crate::alone`] says; where they cannot, nothing is said here and the
//! whole text has to be read. What is read here is checked against what the plan says already before
//! it is believed.

use super::portrait::Face;
use super::{Splice, apply, blocks};
use crate::alone::{HEADING, Kind, Part, has_definition, keeps_dialect};
use crate::model::{Plan, TaskId};
use crate::parse::parse_part;

/// Whether a changed text would say the same as now, in all but one task, which is to say what
/// `face` says. `None` where only the whole text can tell. `settle` brings what is said in any order
/// into one.
pub(super) fn reads(
    text: &str,
    plan: &Plan,
    splices: &[Splice],
    index: usize,
    face: &Face,
    settle: impl Fn(&mut Face),
) -> Option<bool> {
    // An id that comes or goes can be another task's.
    if face.id != Face::of(&plan.tasks[index]).id || has_definition(text) {
        return None;
    }
    let from = splices.iter().map(|splice| splice.range.start).min()?;
    let until = splices.iter().map(|splice| splice.range.end).max()?;
    let part = Part::around(text, plan, &(from..until), index)?;
    let old = &text[part.span.clone()];
    let moved: Vec<Splice> = splices
        .iter()
        .map(|splice| Splice {
            range: splice.range.start - part.span.start..splice.range.end - part.span.start,
            text: splice.text.clone(),
        })
        .collect();
    let new = apply(old, &moved).ok()?.text;
    if has_definition(&new) || !keeps(text, plan, splices) {
        return None;
    }
    let sentinel = &text[part.next.span.clone()];
    let was = Read::of(old, sentinel, part.next.kind, plan)?;
    let known = plan.tasks[part.tasks.clone()].iter().map(|task| {
        let mut face = Face::of(task);
        face.parent = face.parent.map(|parent| parent - part.tasks.start);
        face
    });
    if !was.stands || !was.faces.iter().cloned().eq(known) {
        return None;
    }
    let is = Read::of(&new, sentinel, part.next.kind, plan)?;
    // The change may have moved it in a little, which only the whole text can judge.
    if !is.stands {
        return None;
    }
    let mut faces = was.faces;
    let at = index - part.tasks.start;
    let meant = faces.get_mut(at)?;
    *meant = Face {
        parent: meant.parent,
        ..face.clone()
    };
    settle(meant);
    let mut found = is.faces;
    if let Some(found) = found.get_mut(at) {
        settle(found);
    }
    // An id that another task has above is none, which the part does not tell.
    let is_known = |id: &TaskId| faces.iter().any(|face| face.id.as_ref() == Some(id));
    if !found
        .iter()
        .filter_map(|face| face.id.as_ref())
        .all(is_known)
    {
        return None;
    }
    Some(found == faces && is.page == was.page)
}

/// What a part is read as.
struct Read {
    faces: Vec<Face>,
    page: Vec<String>,
    /// Whether what stands behind the part is read as what it is.
    stands: bool,
}

impl Read {
    /// Reads a part and the line behind it. `None` where something in it has a meaning that the
    /// part alone does not tell.
    fn of(part: &str, sentinel: &str, kind: Kind, plan: &Plan) -> Option<Self> {
        let text = format!("{HEADING}{part}{sentinel}");
        let behind = HEADING.len() + part.len();
        let read = parse_part(&text, plan.dialect, 0).plan;
        if !read.requirements.is_empty() || !read.decisions.is_empty() {
            return None;
        }
        let mut faces: Vec<Face> = read.tasks.iter().map(Face::of).collect();
        let mut blocks = blocks::of(&text, &read);
        let stands = match kind {
            Kind::End => true,
            Kind::Task => {
                faces.pop();
                read.tasks
                    .last()
                    .is_some_and(|task| task.parent.is_none() && task.span.start == behind)
            }
            Kind::Heading => blocks
                .pop()
                .is_some_and(|last| last.heading.is_some() && last.span.start == behind),
        };
        let mut blocks = blocks.into_iter();
        blocks.next().filter(|first| first.heading.is_some())?;
        let mut page = Vec::new();
        for block in blocks {
            if block.heading.is_some() {
                return None;
            }
            page.push(text[block.span].to_owned());
        }
        Some(Self {
            faces,
            page,
            stands,
        })
    }
}

/// Whether the changed text is in the same dialect.
fn keeps(text: &str, plan: &Plan, splices: &[Splice]) -> bool {
    plan.front.version.is_some()
        || apply(text, splices).is_ok_and(|after| keeps_dialect(plan, &after.text))
}

#[cfg(test)]
mod tests;
