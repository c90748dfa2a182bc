//! Which name was meant by one that is not known.

/// What a name must be compared with to find what was meant; longer ones are no slip of the pen.
const LONGEST_NAME: usize = 64;

/// The known name that a slip of the pen may have turned into this one.
pub(super) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    // `verifyCommands` and `verify-commands` mean `verify_commands`.
    let plain = snake(name.trim());
    known
        .iter()
        .map(|known| (strsim::osa_distance(&plain, &snake(known)), *known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 5)
        .min()
        .map(|(_, known)| known)
}

fn snake(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        if c.is_uppercase() && plain.ends_with(char::is_lowercase) {
            plain.push('_');
        }
        plain.extend(
            c.to_lowercase()
                .map(|c| if matches!(c, '-' | ' ' | '.') { '_' } else { c }),
        );
    }
    plain
}
