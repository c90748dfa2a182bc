//! The targets that a window may open externally: web and mail addresses, and files in a workspace.
//!
//! A link's text comes from a plan and isn't trusted: an address needs a scheme that a browser or
//! mail program handles, and a file has to be inside the workspace after resolving symlinks.

use std::path::{Path, PathBuf};

use tauri::Url;
use workbench::{Code, Error, Result};

/// Longer addresses are rejected, because some desktops pass them as a shell argument.
const MAX_LINK_LEN: usize = 8_192;

/// Returns the address if it may be passed to the system.
///
/// # Errors
/// [`Code::Usage`] with a message for the user.
pub(crate) fn checked_address(text: &str) -> Result<Url> {
    let refused = |why: &str| Err(Error::new(Code::Usage, format!("{why}.")));
    if text.len() > MAX_LINK_LEN {
        return refused("The link is too long");
    }
    let Ok(url) = Url::parse(text) else {
        return refused("The link isn't a valid URL");
    };
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        "mailto" => Ok(url),
        scheme => refused(&format!(
            "Only web and email links can be opened, not “{scheme}:”"
        )),
    }
}

/// Returns the file or folder with symlinks resolved, if it is inside the workspace.
///
/// # Errors
/// [`Code::Usage`] if it is outside, [`Code::Workspace`] if it doesn't exist.
pub(crate) fn checked_path(workspace: &str, path: &str) -> Result<PathBuf> {
    let resolve = |path: &Path| {
        path.canonicalize().map_err(|error| {
            Error::new(
                Code::Workspace,
                format!("Couldn't show {}: {error}", path.display()),
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
            format!("{path} is outside the workspace."),
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
