//! Whether something that a file defined is gone that nobody spoke of: less than a [`loss`](super::loss) worth a
//! question before the write, and too much to be passed over when the step is called done.

use super::definitions::{Kind, definitions, is_name};
use super::hollow::{Doubt, Written};
use super::missing;

/// Why these changes lose what a step with this title does not name; `None` where as much comes as goes, and
/// where it moved to another of these files. Says nothing of headings: prose may be put in another way.
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
            why: format!("`{name}` went from {path}, and the step does not name it"),
            is_certain: true,
        })
    })
}
