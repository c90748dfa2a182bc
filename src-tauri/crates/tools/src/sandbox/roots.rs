//! The list of paths that a command may read. No other path exists for it.
//!
//! Only names and links are considered. Existence is checked, but contents are not read, except the
//! two lines by which a Python environment names its base, and tool settings that may contain
//! [`logins`].

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{login_files, toolchains};
use crate::git::repository::Repository;
use crate::logins;
use crate::private::PrivateFiles;
use plan::word_list::WordList;

/// System folders with programs and libraries. In tier A, links among them stay links.
pub(super) const SYSTEM: WordList = WordList(
    "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store /run/current-system",
);

/// System settings that programs need to start, resolve names and read the time. None contains
/// keys. A name that ends with `*` is a prefix.
const SETTINGS: WordList = WordList(
    "alternatives crypto-policies fonts ghc* gitconfig group host.conf hostname hosts inputrc \
     java* ld.so.cache ld.so.conf ld.so.preload localtime maven mime.types mono networks \
     nsswitch.conf openjdk* os-release passwd perl php* pki/ca-trust pki/tls/certs protocols R \
     resolv.conf services ssl/cert.pem ssl/certs ssl/openssl.cnf static timezone",
);

/// Kernel folders that describe the machine.
const MACHINE: [&str; 2] = ["/sys/devices/system", "/sys/fs/cgroup"];

/// Toolchain folders in the home folder, whether or not they are in `PATH`.
const TOOLCHAINS: WordList = WordList(
    ".cargo .rustup .pyenv .nvm .volta .fnm .asdf .tool-versions .sdkman .rbenv .rvm .gem .deno \
     .bun .m2 .gradle .jdks .ghcup .cabal .stack .opam .juliaup .julia .dotnet .nuget \
     .npm/_cacache .pnpm-store .yarn/berry .local/bin .local/lib .local/pipx .local/share/mise \
     .local/share/rtx .local/share/uv .local/share/pipx .local/share/pnpm .local/share/fnm \
     .local/share/virtualenvs .virtualenvs .elan .zig .swiftly .proto .cache/ms-playwright \
     .cache/pre-commit go/bin go/pkg .config/git/ignore .config/git/attributes",
);

/// Files with keys or logins of these toolchains, in the home folder.
const CREDENTIALS: WordList = WordList(
    ".cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml \
     .m2/settings-security.xml .gradle/gradle.properties .gradle/init.gradle .gradle/init.d \
     .nuget/NuGet .dotnet/corefx .dotnet/toolResolverCache .cabal/config .stack/config.yaml \
     .julia/servers .julia/config .julia/logs .local/share/uv/credentials .deno/credentials \
     .bun/.bunfig.toml .asdf/.env .opam/config.secret",
);

/// Files that build tools look for in every folder above the workspace. None is meant for keys.
const PROJECT_FILES_ABOVE: WordList = WordList(
    "Cargo.toml .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain package.json \
     tsconfig.json pyproject.toml go.work",
);

/// The inputs from which the list is built.
pub(super) struct Sources<'a> {
    /// The canonical path of the workspace.
    pub(super) workspace: &'a Path,
    /// The user's home folder, and the value of `HOME` if it differs.
    pub(super) homes: &'a [PathBuf],
    pub(super) env: &'a [(String, String)],
    /// The words of the command.
    pub(super) words: &'a [String],
    /// Folders named in the user's setting `toolchains`.
    pub(super) granted: &'a [PathBuf],
    /// The app's own data, never visible.
    pub(super) data: &'a Path,
    pub(super) private: &'a PrivateFiles,
}

/// The readable paths in addition to [`SYSTEM`], and the hidden paths inside them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Roots {
    /// Paths as named and, for links, also their targets; parents first.
    pub(super) readable: Vec<PathBuf>,
    /// Canonical, existing paths inside readable ones; none is inside another.
    pub(super) hidden: Vec<PathBuf>,
}

/// Finds the paths that exist.
pub(super) fn find(sources: &Sources<'_>) -> Roots {
    let mut named: Vec<PathBuf> = settings();
    named.extend(MACHINE.iter().map(PathBuf::from));
    let homes = sources.homes.iter();
    named.extend(homes.flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name))));
    let above = sources.workspace.ancestors().skip(1);
    named.extend(above.flat_map(|folder| PROJECT_FILES_ABOVE.iter().map(|name| folder.join(name))));
    let found = toolchains::find(sources);
    let mut guarded: Vec<PathBuf> = found.clone();
    named.extend(found);
    if let Some(repository) = Repository::of(sources.workspace) {
        let is_wide = |folder: &Path| is_wide(folder, sources.homes);
        if repository.top != sources.workspace && !is_wide(&repository.top) {
            // A workspace inside a repository needs the rest of it, and Git would consider hidden
            // files deleted.
            guarded.push(repository.top.clone());
            named.push(repository.top.clone());
        }
        if repository.is_its_own() && !is_wide(&repository.top) {
            named.extend(repository.folders());
        }
    }
    named.extend(sources.granted.iter().cloned());
    let mut readable = BTreeSet::new();
    for path in named {
        let Ok(real) = path.canonicalize() else {
            continue;
        };
        if is_wide(&real, sources.homes) || real.starts_with(sources.data) {
            continue;
        }
        if !is_system(&real) {
            readable.insert(real);
        }
        let is_plain = !path.components().any(|part| part == Component::ParentDir);
        if is_plain && !is_system(&path) {
            readable.insert(path);
        }
    }
    let readable = outermost(readable);
    let hidden = hidden(sources, &readable, &guarded);
    Roots { readable, hidden }
}

impl Roots {
    /// Makes further folders readable, unless they are too broad or contain the app's own data.
    pub(super) fn let_in(&mut self, folders: &[PathBuf], homes: &[PathBuf], data: &Path) {
        let mut readable: BTreeSet<PathBuf> = self.readable.drain(..).collect();
        for folder in folders {
            let Ok(real) = folder.canonicalize() else {
                continue;
            };
            for path in [real, folder.clone()] {
                let is_closed = is_wide(&path, homes) || data.starts_with(&path);
                if !is_closed && !path.starts_with(data) && !is_system(&path) {
                    readable.insert(path);
                }
            }
        }
        self.readable = outermost(readable);
    }
}

/// Whether a path is in a system folder, which is always readable.
pub(super) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}

/// Whether a folder is too broad to be made readable, such as `/`, `/tmp`, a home folder, a folder
/// that contains a home folder, or a folder for all programs' settings or data, such as `.config`.
pub(super) fn is_wide(folder: &Path, homes: &[PathBuf]) -> bool {
    const WIDE: WordList = WordList("/ /home /root /etc /var /run /srv /mnt /media /opt /tmp /dev");
    let is_above = |home: &PathBuf| {
        home.starts_with(folder)
            || home
                .canonicalize()
                .is_ok_and(|home| home.starts_with(folder))
            || [".local", ".local/share", ".config", ".cache"]
                .iter()
                .any(|name| folder == home.join(name))
    };
    WIDE.iter().any(|wide| folder == Path::new(wide))
        || folder.parent() == Some(Path::new("/home"))
        || homes.iter().any(is_above)
}

fn settings() -> Vec<PathBuf> {
    let etc = Path::new("/etc");
    let mut all = Vec::new();
    for name in SETTINGS {
        let Some(beginning) = name.strip_suffix('*') else {
            all.push(etc.join(name));
            continue;
        };
        let entries = std::fs::read_dir(etc).into_iter().flatten().flatten();
        let matching = entries.filter(|entry| {
            let name = entry.file_name();
            name.to_str()
                .is_some_and(|name| name.starts_with(beginning))
        });
        all.extend(matching.map(|entry| entry.path()));
    }
    all
}

/// Removes paths inside other ones.
fn outermost(paths: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !kept.iter().any(|above| path.starts_with(above)) {
            kept.push(path);
        }
    }
    kept
}

/// The paths to hide inside readable folders: the app's data, known files with logins, and others
/// that are recognized by name or content in the toolchains that were found or granted.
fn hidden(sources: &Sources<'_>, readable: &[PathBuf], guarded: &[PathBuf]) -> Vec<PathBuf> {
    let homes = sources.homes.iter();
    let mut all: Vec<PathBuf> = homes
        .flat_map(|home| CREDENTIALS.iter().map(|name| home.join(name)))
        .collect();
    all.push(sources.data.to_owned());
    let known = sources
        .homes
        .iter()
        .flat_map(|home| TOOLCHAINS.iter().map(|name| home.join(name)));
    let found = guarded.iter().chain(sources.granted).cloned();
    let real = known
        .chain(found)
        .filter_map(|folder| folder.canonicalize().ok());
    all.extend(login_files::of_toolchains(real.collect(), sources.private));
    let above = readable.iter().filter(|path| !path.starts_with("/etc"));
    let settings_above = above.filter(|path| logins::contains_login(path));
    all.extend(settings_above.cloned());
    let all = all.into_iter().filter_map(|path| path.canonicalize().ok());
    let is_shown = |path: &PathBuf| {
        let inside = |root: &PathBuf| path.starts_with(root);
        readable.iter().any(inside) || path.starts_with(sources.workspace)
    };
    outermost(all.filter(is_shown).collect())
}

/// The user's home folder, and the value of `HOME` if it differs, since tools follow the variable.
pub(super) fn homes(home: &Path, env: &[(String, String)]) -> Vec<PathBuf> {
    let named = env
        .iter()
        .find(|(name, _)| name == "HOME")
        .map(|(_, named)| PathBuf::from(named));
    let named = named.filter(|named| named != home && named.is_absolute());
    [Some(home.to_owned()), named]
        .into_iter()
        .flatten()
        .collect()
}

/// The existing paths of [`SYSTEM`], each with its target if it is a link.
pub(super) fn system() -> Vec<(PathBuf, Option<PathBuf>)> {
    let all = SYSTEM.iter().map(PathBuf::from);
    let all = all.filter(|path| path.symlink_metadata().is_ok());
    all.map(|path| {
        let target = std::fs::read_link(&path).ok();
        (path, target)
    })
    .collect()
}

#[cfg(test)]
mod tests;
