//! Pictures referenced from a plan, if they are in its workspace. Nothing is loaded from anywhere
//! else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tools::documents;

use crate::Desktop;
use crate::wire::Picture;
use workbench::error::{Code, Error, Result};

/// Maximum size of a picture, in bytes.
const LARGEST: u64 = 4 << 20;

impl Desktop {
    /// A picture referenced from a plan, relative to the plan's folder or else to the workspace.
    ///
    /// # Errors
    /// [`Code::Usage`] if it isn't a picture or is too large; [`Code::Workspace`] if the path
    /// doesn't exist or is outside the workspace.
    pub fn picture(&self, plan: &str, path: &str) -> Result<Picture> {
        let workbench = self.shared.workbench();
        let located = self.shared.locate(&workbench, plan)?;
        let workspace = workbench.open_workspace(&located.root)?;
        let folder = located.file.relative.rsplit_once('/');
        let beside = folder.and_then(|(folder, _)| joined(folder, path));
        let candidates = [beside, joined("", path)].into_iter().flatten();
        let mut failure = None;
        for candidate in candidates {
            match documents::read(&workspace, &candidate, LARGEST) {
                Ok(bytes) => {
                    let kind = kind_of(&bytes).ok_or_else(|| {
                        err!(Usage:
                        "{candidate} isn't a PNG, JPEG, GIF or WebP picture")
                    })?;
                    let data = STANDARD.encode(&bytes);
                    return Ok(Picture {
                        data: format!("data:{kind};base64,{data}"),
                    });
                }
                Err(error) => failure = Some(error),
            }
        }
        let why = failure.map_or_else(
            || "it is outside the workspace".to_owned(),
            |error| error.to_string(),
        );
        let message = format!("couldn't show the image {path}: {why}");
        Err(Error::new(Code::Workspace, message))
    }
}

/// Normalizes a relative path by resolving `.` and `..`; `None` if it leaves the workspace.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Detects the format from the first bytes, ignoring the file name. SVG isn't accepted, because it
/// can contain scripts.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let is = |at: usize, start: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(start));
    if is(0, b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if is(0, b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if is(0, b"GIF87a") || is(0, b"GIF89a") {
        Some("image/gif")
    } else if is(0, b"RIFF") && is(8, b"WEBP") {
        Some("image/webp")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{joined, kind_of};

    #[test]
    fn a_path_stays_in_the_workspace() {
        let cases = [
            ("plans", "a.png", Some("plans/a.png")),
            ("plans", "../docs/a.png", Some("docs/a.png")),
            ("plans", "./a.png", Some("plans/a.png")),
            ("plans", "../../a.png", None),
            ("", "..", None),
            ("", "docs//a.png", Some("docs/a.png")),
        ];
        for (folder, path, expected) in cases {
            assert_eq!(
                joined(folder, path).as_deref(),
                expected,
                "{folder} + {path}"
            );
        }
    }

    #[test]
    fn only_pictures_are_pictures() {
        assert_eq!(kind_of(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(kind_of(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        for other in [
            &b"<svg xmlns=''/>"[..],
            b"RIFF",
            b"",
            b"%PDF-1.7",
            b"#!/bin/sh",
        ] {
            assert_eq!(kind_of(other), None);
        }
    }
}
