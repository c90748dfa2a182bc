//! What a window may open outside of itself: web and mail addresses, and files of a workspace.
//!
//! The text of a link comes from a plan and is not trusted: an address has to be of a scheme that a
//! browser or a mail program handles, and a file has to lie in the workspace, links resolved.

use std::path::{Path, PathBuf};

use tauri::Url;
use workbench::{Code, Error, Result};

/// Longer addresses are refused; some desktops pass them through a shell's argument list.
const LONGEST: usize = 8_192;

/// The address, if it may be handed to the system.
///
/// # Errors
/// [`Code::Usage`] with a sentence for people.
pub(crate) fn checked_address(text: &str) -> Result<Url> {
    let refused = |why: &str| {
        Err(Error::new(
            Code::Usage,
            format!("The link was not opened: {why}."),
        ))
    };
    if text.len() > LONGEST {
        return refused("it is too long");
    }
    let Ok(url) = Url::parse(text) else {
        return refused("it is not a complete address");
    };
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        "mailto" => Ok(url),
        scheme => refused(&format!(
            "only web and mail addresses are opened, not “{scheme}:”"
        )),
    }
}

/// The file or folder with links resolved, if it lies in the workspace.
///
/// # Errors
/// [`Code::Usage`] when it lies elsewhere, [`Code::Workspace`] when it is not there.
pub(crate) fn checked_path(workspace: &str, path: &str) -> Result<PathBuf> {
    let resolve = |path: &Path| {
        path.canonicalize().map_err(|error| {
            Error::new(
                Code::Workspace,
                format!("{} cannot be shown: {error}", path.display()),
            )
        })
    };
    let root = resolve(Path::new(workspace))?;
    let found = resolve(&root.join(path))?;
    if found.starts_with(&root) {
        Ok(found)
    } else {
        Err(Error::new(
            Code::Usage,
            format!("{path} lies outside of the workspace."),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{checked_address, checked_path};

    #[test]
    fn web_and_mail_addresses_are_opened() {
        for text in [
            "https://example.org/a?b#c",
            "http://localhost:8000/",
            "mailto:a@example.org",
        ] {
            assert!(checked_address(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let long = format!("https://example.org/{}", "a".repeat(9_000));
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ssh://example.org",
            "vscode://file/x",
            "tauri://localhost",
            "relative/page",
            "http:",
            "",
            long.as_str(),
        ] {
            assert!(checked_address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_lies_in_the_workspace_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("inside"), "").unwrap();
        std::fs::write(folder.path().join("outside"), "").unwrap();
        std::os::unix::fs::symlink(folder.path().join("outside"), root.join("link")).unwrap();
        let root = root.to_str().unwrap();
        assert!(checked_path(root, "inside").is_ok());
        assert!(checked_path(root, "").is_ok());
        for path in ["../outside", "link", "/etc/passwd", "missing"] {
            assert!(checked_path(root, path).is_err(), "{path}");
        }
    }
}
