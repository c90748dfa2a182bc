//! Stable ids for findings.

use plan::Task;

/// The id of a finding: its code and the [`fingerprint`] of the text it is about. Case,
/// punctuation, the amount of white space and the position in the file don't affect it.
pub(crate) fn finding_id(code: &str, text: u64) -> String {
    format!("{code}-{:012x}", text & 0xffff_ffff_ffff)
}

/// A hash that is equal for texts with the same words.
///
/// Uses FNV-1a rather than the standard hasher, because the number is shown and stored and so must
/// be the same on every platform and in every release. Only ASCII letters are lowercased, so that a
/// single pass over the bytes is enough: every check computes this hash for every task.
pub(crate) fn fingerprint(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    let mut between_words = false;
    for byte in text.bytes() {
        if matches!(
            byte,
            b' ' | b'\t' | b'\r' | b'\n' | b'.' | b',' | b';' | b':' | b'!' | b'?'
        ) {
            between_words = true;
            continue;
        }
        if between_words {
            eat(b' ');
            between_words = false;
        }
        eat(byte.to_ascii_lowercase());
    }
    hash
}

/// The fingerprint of a task's title and body.
pub(crate) fn own_text(task: &Task) -> u64 {
    fingerprint(&format!("{}\n{}", task.title, task.body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_case_and_punctuation_do_not_change_an_id() {
        let id = finding_id("vague_short", fingerprint("Fix  it."));
        assert_eq!(id, finding_id("vague_short", fingerprint("fix\n it")));
        assert_ne!(id, finding_id("vague_short", fingerprint("fix that")));
        assert_ne!(id, finding_id("vague_phrase", fingerprint("fix it")));
    }

    #[test]
    fn words_do_not_run_together() {
        assert_ne!(fingerprint("re set"), fingerprint("reset"));
        assert_ne!(fingerprint("ändere das"), fingerprint("andere das"));
    }
}
