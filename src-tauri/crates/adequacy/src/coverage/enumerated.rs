//! Finds forgotten members of an enumeration, such as one of the two in "into German and Polish".

use crate::terms::{self, Kind, Term};

/// A member of an enumeration that no task mentions although a task mentions the member next to it.
/// `is_said` tells whether any task contains a word.
pub(super) fn missing(text: &str, is_said: impl Fn(Term) -> bool) -> Option<String> {
    let members = members(text);
    if members.len() < 2 {
        return None;
    }
    let said: Vec<Option<bool>> = members
        .iter()
        .map(|member| {
            let mut any = None;
            terms::of(member, None, &mut |term, kind, _| {
                if kind != Kind::Common {
                    any = Some(any.unwrap_or(false) || is_said(term));
                }
            });
            any
        })
        .collect();
    if !said.contains(&Some(true)) {
        return None;
    }
    let open = said.iter().position(|said| *said == Some(false))?;
    Some(members[open].trim().to_owned())
}

/// The members of all enumerations: the text on both sides of each comma or "and", up to two words
/// before it and four after it, starting at a preposition if there is one.
fn members(text: &str) -> Vec<&str> {
    const JOINTS: [&str; 8] = [", and ", " and ", " und ", " et ", " y ", ", ", "、", "，"];
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    // The next position of each separator, updated once the scan has passed it.
    let mut nexts = JOINTS.map(|joint| text.find(joint));
    loop {
        for (next, joint) in nexts.iter_mut().zip(JOINTS) {
            if next.is_some_and(|next| next < at) {
                *next = text[at..].find(joint).map(|from| at + from);
            }
        }
        let places = nexts.iter().zip(JOINTS);
        let nearest = places
            .filter_map(|(next, joint)| Some(((*next)?, joint.len())))
            .min_by_key(|(from, length)| (*from, usize::MAX - length));
        let Some((from, length)) = nearest else {
            break;
        };
        cuts.push((from, from + length));
        at = from + length;
    }
    let is_even = text.matches('`').count() == 0 && text.matches('"').count() == 0;
    if cuts.is_empty() || !is_even {
        return Vec::new();
    }
    let mut members = Vec::new();
    let mut start = 0;
    for (nth, (from, to)) in cuts.iter().enumerate() {
        let before = &text[start..*from];
        members.push(if nth == 0 {
            last_words(before)
        } else {
            first_words(before)
        });
        start = *to;
    }
    members.push(first_words(&text[start..]));
    members
}

fn last_words(text: &str) -> &str {
    let at = text.trim_end().rfind(' ').map_or(0, |at| at + 1);
    &text[at..]
}

fn first_words(text: &str) -> &str {
    const MAX_WORDS: usize = 3;
    let mut blanks = text.match_indices(' ').skip(MAX_WORDS - 1);
    blanks.next().map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forgotten(text: &str, plan: &str) -> Option<String> {
        let mut said = Vec::new();
        terms::of(plan, None, &mut |term, _, _| said.push(term));
        missing(text, |term| said.contains(&term))
    }

    #[test]
    fn a_forgotten_member_is_named() {
        let text = "Translate the screens into German and Polish";
        assert_eq!(
            forgotten(text, "Write the German texts").as_deref(),
            Some("Polish")
        );
        assert_eq!(
            forgotten(text, "Write the Polish texts").as_deref(),
            Some("German")
        );
        assert_eq!(forgotten(text, "Write German and Polish texts"), None);
        assert_eq!(
            forgotten(text, "Write all texts"),
            None,
            "no member is mentioned"
        );
        assert_eq!(
            forgotten(
                "the link works in Firefox and for 30 minutes",
                "It works only in Firefox"
            )
            .as_deref(),
            Some("for 30 minutes")
        );
    }

    #[test]
    fn an_option_and_its_short_form_are_one_member() {
        let text = "The options -I/--int and -C/--colalign are refused";
        for plan in [
            "Update it for -I/--int and -C/--colalign",
            "Take `I:` and `int=`, so that `-I` and `--int` work; the same of `--colalign`",
        ] {
            assert_eq!(forgotten(text, plan), None, "{plan}");
        }
        assert_eq!(
            forgotten(text, "Update it for --colalign").as_deref(),
            Some("-I/--int")
        );
    }

    #[test]
    fn texts_without_an_enumeration_have_no_forgotten_member() {
        assert_eq!(forgotten("Show the total", "Show the sum"), None);
        assert_eq!(forgotten("Print \"open and close\"", "Print open"), None);
    }
}
