//! Checks before a command starts: the workspace, the program, and the writable paths.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::SandboxError;
use super::hints;
use super::roots::Roots;

/// The writable paths of the workspace. Paths through links are left out, since their targets have
/// other names.
pub(super) fn writable(workspace: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    let whole = paths.iter().map(|path| workspace.join(path));
    let own = whole.filter(|path| {
        let real = path.canonicalize();
        real.is_ok_and(|real| real == *path && real != *workspace)
    });
    own.collect()
}

/// Checks that a program given by path is in a folder that commands can see.
pub(super) fn visible(
    program: &str,
    workspace: &Path,
    roots: &Roots,
    homes: &[PathBuf],
) -> Result<(), SandboxError> {
    let real = workspace.join(program).canonicalize().ok();
    match real.filter(|_| program.contains('/')) {
        Some(real) if !hints::is_shown(&real, workspace, &roots.readable) => {
            Err(SandboxError::ProgramOutside {
                program: program.to_owned(),
                folder: hints::to_let_in(&real, homes),
            })
        }
        _ => Ok(()),
    }
}

/// The workspace's canonical path, if it is a folder that may be writable as a whole.
pub(super) fn real_workspace(path: &Path, home: &Path) -> Result<PathBuf, SandboxError> {
    let gone = |reason: String| SandboxError::WorkspaceGone {
        path: path.to_owned(),
        reason,
    };
    let real = path
        .canonicalize()
        .map_err(|error| gone(error.to_string()))?;
    if !real.is_dir() {
        return Err(gone("it is not a folder".to_owned()));
    }
    // If the home folder were writable, a command could plant something that runs at the next
    // login.
    let named = std::env::var_os("HOME")
        .map(PathBuf::from)
        .filter(|named| named.is_absolute());
    let homes = [Some(home.to_owned()), named].into_iter().flatten();
    if homes
        .map(|home| home.canonicalize().unwrap_or(home))
        .any(|home| home.starts_with(&real))
    {
        return Err(SandboxError::WorkspaceTooWide { path: real });
    }
    Ok(real)
}

/// Checks that a program exists and is executable.
pub(super) fn startable(program: &str, workspace: &Path, path: &str) -> Result<(), SandboxError> {
    let folders = path.split(':').filter(|folder| !folder.is_empty());
    let places: Vec<PathBuf> = if program.contains('/') {
        vec![workspace.join(program)]
    } else {
        folders
            .map(|folder| Path::new(folder).join(program))
            .collect()
    };
    let mut files = places.iter().filter(|place| place.is_file()).peekable();
    let program = program.to_owned();
    if program.is_empty() || files.peek().is_none() {
        return Err(SandboxError::ProgramNotFound { program });
    }
    match files.any(|file| access(file, Access::EXEC_OK).is_ok()) {
        true => Ok(()),
        false => Err(SandboxError::NotExecutable { program }),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_workspace_that_holds_the_home_folder_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let project = home.path().join("project");
        std::fs::create_dir(&project).unwrap();
        assert!(real_workspace(&project, home.path()).is_ok());
        for wide in [Path::new("/"), home.path(), home.path().parent().unwrap()] {
            let refused = real_workspace(wide, home.path());
            assert!(
                matches!(refused, Err(SandboxError::WorkspaceTooWide { .. })),
                "{wide:?}"
            );
        }
        let gone = real_workspace(&home.path().join("absent"), home.path());
        assert!(matches!(gone, Err(SandboxError::WorkspaceGone { .. })));
    }

    #[test]
    fn a_program_is_looked_for_where_the_command_would_look() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        std::fs::write(&tool, "").unwrap();
        let path = format!("/nowhere:{}", folder.path().display());
        for (program, path) in [("tool", &*path), ("./tool", "")] {
            let told = startable(program, folder.path(), path)
                .unwrap_err()
                .to_string();
            assert!(told.contains(&format!("`chmod +x {program}`")), "{told}");
        }
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(startable("tool", Path::new("/"), &path).is_ok());
        assert!(startable("./tool", folder.path(), "").is_ok());
        for (program, path) in [("tool", "/nowhere"), ("", &*path)] {
            let missing = startable(program, folder.path(), path);
            assert!(matches!(missing, Err(SandboxError::ProgramNotFound { .. })));
        }
    }
}
