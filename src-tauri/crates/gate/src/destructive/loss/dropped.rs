//! Finds removed definitions that the step does not mention. They are too few for a
//! [`loss`](super::loss) question before the write, but matter when deciding whether the step is
//! done.

use super::definitions::{Kind, definitions, is_name};
use super::hollow::{Doubt, Written};
use super::missing;

/// Returns a doubt if these changes remove definitions that the step's title does not name. `None`
/// if at least as many definitions were added, or they moved to another of these files. Headings
/// are ignored, since prose may be rephrased.
pub fn dropped(files: &[Written], title: &str) -> Option<Doubt> {
    let is_said = |name: &str| {
        let mut words = title.split(|letter: char| !is_name(letter));
        words.any(|word| word == name) || title.contains(&format!("`{name}`"))
    };
    let gained = |of: &str| -> Vec<String> {
        let others = files.iter().filter(|(path, ..)| path != of);
        let gained = others.flat_map(|(path, before, after)| {
            let kind = Kind::of(path);
            let (held, now) = (definitions(kind, before), definitions(kind, after));
            missing(&now, &held)
                .into_iter()
                .cloned()
                .collect::<Vec<_>>()
        });
        gained.collect()
    };
    files.iter().find_map(|(path, before, after)| {
        let kind = Kind::of(path);
        if kind == Kind::Prose {
            return None;
        }
        let (held, now) = (definitions(kind, before), definitions(kind, after));
        let new = missing(&now, &held).len();
        let kept = [now, gained(path)].concat();
        let gone: Vec<&String> = missing(&held, &kept)
            .into_iter()
            .filter(|name| !is_said(name))
            .collect();
        let (name, _) = gone.split_first().filter(|_| gone.len() > new)?;
        Some(Doubt {
            why: format!("`{name}` was removed from {path}, but the step does not name it"),
            is_certain: true,
        })
    })
}
