//! Which bytes are accepted as a plan, and the errors for all others.

use plan::Revision;
use plan::source::{LIMIT, SourceError, decode};

#[test]
fn text_passes_with_its_byte_order_mark() {
    assert_eq!(
        decode("\u{feff}- [ ] a\r\n".as_bytes()),
        Ok("\u{feff}- [ ] a\r\n")
    );
    assert_eq!(decode(b""), Ok(""));
}

#[test]
fn binary_files_are_rejected_with_a_position() {
    assert_eq!(
        decode(b"a\nb\0c"),
        Err(SourceError::Binary { at: 3, line: 2 })
    );
    assert_eq!(
        decode(b"a\n\nb\xff"),
        Err(SourceError::NotUtf8 { at: 4, line: 3 })
    );
    // The last character is incomplete.
    assert_eq!(
        decode(b"ab\xe2\x9c"),
        Err(SourceError::NotUtf8 { at: 2, line: 1 })
    );
}

#[test]
fn only_files_over_the_limit_are_rejected() {
    let largest = vec![b'a'; usize::try_from(LIMIT).unwrap()];
    assert!(decode(&largest).is_ok());
    let larger = vec![b'a'; largest.len() + 1];
    assert_eq!(
        decode(&larger),
        Err(SourceError::TooLarge { bytes: LIMIT + 1 })
    );
}

#[test]
fn every_error_says_what_to_do() {
    let errors = [
        SourceError::TooLarge { bytes: LIMIT + 1 },
        SourceError::Binary { at: 3, line: 2 },
        SourceError::NotUtf8 { at: 3, line: 2 },
    ];
    for error in errors {
        let text = error.to_string();
        assert!(text.contains(';'), "{text}: a reason, then what to do");
    }
}

#[test]
fn a_revision_is_the_sha_256_of_the_bytes() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let revision = Revision::of(b"");
    assert_eq!(revision.as_str(), empty);
    assert_eq!(revision.to_string(), empty);
    assert_eq!(revision.short(), "e3b0c44298fc");
}

#[test]
fn twelve_digits_identify_a_revision_and_eleven_do_not() {
    let revision = Revision::of(b"");
    for prefix in [revision.short(), revision.as_str(), "E3B0C44298FC1C"] {
        assert!(revision.matches(prefix), "{prefix}");
    }
    let long = format!("{revision}0");
    for prefix in [
        "",
        "e3b0c44298f",
        "e3b0c44298fd",
        " e3b0c44298fc",
        "e3b0c44298f✓",
        &long,
    ] {
        assert!(!revision.matches(prefix), "{prefix}");
    }
}
