//! Properties of merging any three texts, and of the features based on it.

use std::collections::HashSet;

use plan::diff::{diff, summary};
use plan::merge;
use plan::nearest::nearest;

/// Separates the texts. No plan file can contain it.
pub const SEPARATOR: u8 = 0;

/// Merges up to three texts, separated by zero bytes. If there is only one, two others are derived
/// from it.
pub fn merge(data: &[u8]) {
    let mut parts = data
        .splitn(3, |byte| *byte == SEPARATOR)
        .map(super::text_of);
    let base = parts.next().unwrap_or_default();
    let ours = parts.next().unwrap_or_else(|| changed(&base, data.len()));
    let theirs = parts
        .next()
        .unwrap_or_else(|| changed(&base, data.len() / 3 + 7));
    laws(&base, &ours, &theirs);
    laws(&base, &theirs, &ours);
    let (before, after) = (plan::parse(&base).0, plan::parse(&ours).0);
    let found = diff((&base, &before), (&ours, &after));
    let gone = found
        .tasks
        .iter()
        .filter(|task| task.after.is_none())
        .count();
    let came = found
        .tasks
        .iter()
        .filter(|task| task.before.is_none())
        .count();
    assert_eq!(before.tasks.len() - gone, after.tasks.len() - came);
    assert_eq!(
        found.tasks.len() - gone + found.unchanged,
        after.tasks.len()
    );
    summary(&found, 5);
    let near = nearest(&theirs, [&ours, &base]).expect("there are candidates");
    assert!(near.index > 0 || near.distance == near.of_latest);
    assert!(theirs != base && theirs != ours || !near.is_stale());
}

fn laws(base: &str, ours: &str, theirs: &str) {
    assert_eq!(merge::merge(base, base, theirs).clean(), Some(theirs));
    assert_eq!(merge::merge(base, ours, base).clean(), Some(ours));
    assert_eq!(merge::merge(base, ours, ours).clean(), Some(ours));
    let merged = merge::merge(base, ours, theirs);
    let mut end = 0;
    for conflict in &merged.conflicts {
        assert!(conflict.place.start >= end);
        end = conflict.place.end;
        let place = merged.text.get(conflict.place.clone());
        assert_eq!(place, Some(conflict.theirs.as_str()));
    }
    // No word added by a side is lost, except ids that both added, and ticks, which only apply to
    // the text that was ticked.
    let renamed: HashSet<&str> = merged.renamed.iter().map(|(old, _)| old.as_str()).collect();
    let known = words(base);
    let mut kept = words(&merged.text);
    for conflict in &merged.conflicts {
        kept.extend(words(&conflict.ours));
        kept.extend(words(&conflict.base));
    }
    for word in words(ours).union(&words(theirs)) {
        let is_id = renamed.iter().any(|id| id.contains(word));
        assert!(
            known.contains(word) || kept.contains(word) || is_id || word.eq_ignore_ascii_case("x"),
            "{word:?} of {ours:?} and {theirs:?} on {base:?} is lost in {merged:?}"
        );
    }
    // No id that was unique becomes a duplicate. Compared as words, since a task in one text may be
    // part of the front matter in another.
    let dialect = |text: &str| plan::parse(text).0.dialect;
    let sides = [base, ours, theirs];
    let has_none_twice = |text: &&str| {
        let mut seen = HashSet::new();
        let tasks = plan::parse(text).0.tasks;
        tasks.into_iter().all(|task| seen.insert(task.id))
    };
    let now = dialect(&merged.text);
    if sides.iter().all(|text| dialect(text) == now) && sides.iter().all(has_none_twice) {
        let mut seen = HashSet::new();
        for task in plan::parse(&merged.text).0.tasks {
            let id = task.id.as_str();
            let stood_once = sides.iter().all(|text| {
                let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '.'));
                words.by_ref().filter(|word| *word == id).count() <= 1
            });
            let is_new = seen.insert(id.to_owned());
            assert!(
                is_new || !stood_once,
                "{id} of {sides:?} twice in {merged:?}"
            );
        }
    }
}

fn words(text: &str) -> HashSet<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect()
}

/// The text with a few lines removed, duplicated, changed and inserted.
fn changed(text: &str, seed: usize) -> String {
    let mut state = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        match state >> 60 {
            0 => {}
            1 => out.push_str(&line.replacen("[ ]", "[x]", 1)),
            2 => out.push_str(&format!("{line}  - note: n{}\n", state % 7)),
            3 => out.push_str(&format!("- [ ] **T{}** new\n{line}", state % 9)),
            4 => out.push_str(&format!("more {line}")),
            _ => out.push_str(line),
        }
    }
    out
}
