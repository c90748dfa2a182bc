//! Links to a plan or a step, `planwright://open?path=…&step=…`, which any web page can contain.
//!
//! A link only shows its target: it can't approve, run or change anything, and it opens nothing
//! outside the workspaces that the user has opened before. The path is compared with those before
//! the disk is touched, so a link can't make the system mount a volume or contact a server.

use std::path::{Component, Path, PathBuf};

use tauri::Url;
use workbench::{Code, Error, Result};

use crate::links;

/// Longer links are rejected.
const MAX_LINK_LEN: usize = 8_192;

/// The longest step id, in characters.
const MAX_STEP_LEN: usize = 200;

/// A parsed link. Whether it may be opened is decided by [`resolve`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanLink {
    /// An absolute path without `..`.
    path: PathBuf,
    step: Option<String>,
}

/// The target of a link, in a workspace that the user has opened before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Linked {
    /// The path of the workspace, as opened by the user.
    pub(crate) workspace: String,
    /// The path of the plan; `None` for the workspace itself.
    pub(crate) plan: Option<String>,
    /// The ID of the step to select.
    pub(crate) step: Option<String>,
}

/// Whether an argument of the program is a link instead of a path.
pub(crate) fn is_link(word: &str) -> bool {
    const PREFIX: &str = "planwright://";
    word.get(..PREFIX.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
}

/// Parses a link.
///
/// # Errors
/// [`Code::Usage`] with a message for the user.
pub(crate) fn parse(text: &str) -> Result<PlanLink> {
    if text.len() > MAX_LINK_LEN {
        return Err(refusal("The link is too long"));
    }
    let url = Url::parse(text).map_err(|_| refusal("The link isn't a valid URL"))?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
    if url.host_str() != Some("open") || !matches!(url.path(), "" | "/") || !is_plain {
        return Err(refusal("Only planwright://open links are supported"));
    }
    let (mut path, mut step) = (None, None);
    for (key, value) in url.query_pairs() {
        let slot = match &*key {
            "path" => &mut path,
            "step" => &mut step,
            _ => continue,
        };
        if slot.replace(value.into_owned()).is_some() {
            return Err(refusal(&format!("The link names {key} twice")));
        }
    }
    let path = PathBuf::from(path.ok_or_else(|| refusal("The link has no path"))?);
    let is_clean = path
        .components()
        .all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    if !path.is_absolute() || !is_clean || path.to_string_lossy().contains('\0') {
        return Err(refusal("The link's path must be absolute, without `..`"));
    }
    let step = step.filter(|step| !step.is_empty());
    let is_odd =
        |step: &String| step.chars().count() > MAX_STEP_LEN || step.chars().any(char::is_control);
    if step.as_ref().is_some_and(is_odd) {
        return Err(refusal("The link's step isn't a valid ID"));
    }
    Ok(PlanLink { path, step })
}

/// Finds the target of a link in the known workspace that contains it; if several do, in the
/// innermost one.
///
/// # Errors
/// [`Code::Usage`] if it is in none of them or isn't a plan, [`Code::Workspace`] if it doesn't
/// exist.
pub(crate) fn resolve(link: PlanLink, known: &[String]) -> Result<Linked> {
    let PlanLink { path, step } = link;
    let root = known
        .iter()
        .filter(|root| path.starts_with(root))
        .max_by_key(|root| root.len())
        .ok_or_else(|| {
            let shown = path.display();
            refusal(&format!(
                "{shown} isn't in a folder you have opened; open its folder, then try the link again"
            ))
        })?;
    let workspace = root.clone();
    if path == Path::new(root) {
        return Ok(Linked {
            workspace,
            plan: None,
            step: None,
        });
    }
    let found = links::checked_path(root, &path.to_string_lossy())?;
    let is_markdown = found
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| {
            ["md", "markdown"].contains(&extension.to_ascii_lowercase().as_str())
        });
    if !is_markdown || !found.is_file() {
        return Err(refusal(&format!("{} is not a plan", path.display())));
    }
    Ok(Linked {
        workspace,
        plan: Some(found.to_string_lossy().into_owned()),
        step,
    })
}

fn refusal(why: &str) -> Error {
    Error::new(Code::Usage, format!("{why}."))
}

#[cfg(test)]
mod tests {
    use super::{Linked, is_link, parse, resolve};

    #[test]
    fn a_link_names_a_path_and_a_step() {
        let link = parse("planwright://open?path=%2Fhome%2Fme%2Fa%20b.md&step=T%2B3").unwrap();
        assert_eq!(link.path.to_str(), Some("/home/me/a b.md"));
        assert_eq!(link.step.as_deref(), Some("T+3"));
        let link = parse("PLANWRIGHT://open/?path=/home/me/a.md&step=&run=1&approve=yes").unwrap();
        assert_eq!(link.path.to_str(), Some("/home/me/a.md"));
        assert_eq!(link.step, None);
        assert!(is_link("Planwright://open"));
        for word in ["plans/a.md", "/planwright://open", "planwright:", "é"] {
            assert!(!is_link(word), "{word}");
        }
    }

    #[test]
    fn the_desktop_hands_links_to_this_program() {
        let entry = include_str!("../planwright.desktop");
        let has = |line: &str| entry.lines().any(|one| one == line);
        assert!(has("Exec={{exec}} %u"), "{entry}");
        assert!(
            has("MimeType=text/markdown;x-scheme-handler/planwright;"),
            "{entry}"
        );
    }

    #[test]
    fn every_other_link_is_refused() {
        let long = format!("planwright://open?path=/{}", "a".repeat(9_000));
        let step = format!("planwright://open?path=/a.md&step={}", "T".repeat(201));
        for text in [
            "planwright://open",
            "planwright://open?step=T1",
            "planwright://open?path=",
            "planwright://open?path=plans/a.md",
            "planwright://open?path=~/a.md",
            "planwright://open?path=/w/../../etc/passwd",
            "planwright://open?path=/w/%2e%2e/x.md",
            "planwright://open?path=/w/a.md%00",
            "planwright://open?path=/a.md&path=/b.md",
            "planwright://open?path=/a.md&step=T1%0A",
            "planwright://run?path=/a.md",
            "planwright://approve?path=/a.md",
            "planwright://open/run?path=/a.md",
            "planwright://me@open?path=/a.md",
            "planwright://open:1?path=/a.md",
            "planwright://?path=/a.md",
            long.as_str(),
            step.as_str(),
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_link_opens_plans_of_known_workspaces_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let known = folder.join("known");
        let inner = known.join("inner");
        std::fs::create_dir_all(inner.join("plans")).unwrap();
        let strange = folder.join("known-not");
        std::fs::create_dir(&strange).unwrap();
        for file in [
            known.join("a.md"),
            known.join("script.sh"),
            inner.join("plans/b.md"),
            strange.join("c.md"),
        ] {
            std::fs::write(file, "").unwrap();
        }
        std::os::unix::fs::symlink(strange.join("c.md"), known.join("c.md")).unwrap();
        std::fs::create_dir(known.join("folder.md")).unwrap();
        let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let roots = [text(&known), text(&inner)];
        let open = |path: &std::path::Path| {
            let link = parse(&format!("planwright://open?path={}&step=T1", text(path)));
            resolve(link.unwrap(), &roots)
        };
        let linked = |root: &std::path::Path, plan: &std::path::Path| Linked {
            workspace: text(root),
            plan: Some(text(plan)),
            step: Some("T1".to_owned()),
        };
        let plan = known.join("a.md");
        assert_eq!(open(&plan).unwrap(), linked(&known, &plan));
        let plan = inner.join("plans/b.md");
        assert_eq!(open(&plan).unwrap(), linked(&inner, &plan));
        assert_eq!(open(&known).unwrap().plan, None);
        for path in [
            strange.join("c.md"),
            known.join("c.md"),
            known.join("script.sh"),
            known.join("folder.md"),
            known.join("missing.md"),
            inner.join("plans"),
            folder.clone(),
        ] {
            assert!(open(&path).is_err(), "{}", path.display());
        }
    }
}
