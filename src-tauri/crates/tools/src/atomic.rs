//! Replaces a file atomically, without losing what another program writes at the same time.
//!
//! The new content is written beside the file, synced, and *exchanged* with it. The old content is
//! then hashed. If it isn't the expected one, another program wrote in between: the two are
//! exchanged back, and the caller gets the other program's content. Readers see either the old or
//! the new file, never a part, and no content is lost unnoticed.
//!
//! Two hidden names are used in the file's folder: `<temp>.part` while the content is written
//! (always ours and removable), and `<temp>` for complete content, either ours or what the exchange
//! returned. After a crash, [`settle`] determines from their hashes what happened and cleans up.
//!
//! The mode is preserved, and the owner if the system allows it, but not extended attributes and
//! access control lists. If the file system does not support exchanging, the file is compared right
//! before the rename, which leaves a gap of microseconds.

mod bytecode;
mod settle;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cap_std::fs::Dir;
use gate::{Act, Permit};
use rustix::fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Stat, Uid};
use rustix::io::Errno;

pub(crate) use settle::settle_at;
pub use settle::{Situation, settle};

use crate::error::ToolError;
use crate::hash::{ContentHash, Hasher};
use crate::workspace::{
    Place, Workspace, kind_of, mode_of, open_regular, read_all, stat_at, sync_folder,
};

/// Maximum number of bytes of another program's content in an error.
const MAX_OTHER: u64 = 64 << 20;

/// The hidden name beside a file while it is changed. It is the same for the same change, so that
/// it can be found after a crash.
pub fn temp_name(path: &str, before: Option<ContentHash>, after: Option<ContentHash>) -> String {
    let side = |hash: Option<ContentHash>| hash.map(ContentHash::to_hex).unwrap_or_default();
    let key = format!("{path}\n{}\n{}", side(before), side(after));
    format!(
        ".planwright-{}.tmp",
        ContentHash::of(key.as_bytes()).short()
    )
}

/// Whether this is a name made by [`temp_name`], or the name of its part file.
pub(crate) fn is_temp_name(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        let name = name.strip_suffix(".part").unwrap_or(name);
        name.starts_with(".planwright-") && name.ends_with(".tmp")
    })
}

/// Replaces the file at `path` with `bytes` if it still is `expected` (`None`: does not exist). Its
/// folder must exist. Used for the app's own documents, so it doesn't refuse protected paths.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for another path, [`ToolError::ChangedMeanwhile`]
/// with the other content, a refused path, or an I/O error. In each case the file is unchanged.
pub fn replace(
    permit: &Permit,
    workspace: &Workspace,
    path: &str,
    expected: Option<ContentHash>,
    bytes: &[u8],
    temp_name: &str,
) -> Result<(), ToolError> {
    permit.require(&Act::write(path))?;
    workspace.ensure_present()?;
    let place = workspace.place(path)?;
    put(
        &place,
        &NewContent {
            expected,
            bytes,
            mode: None,
            temp_name,
        },
    )
}

/// New content for a file.
pub(crate) struct NewContent<'a> {
    /// The hash of the content that the file must have now; `None` if it must not exist.
    pub(crate) expected: Option<ContentHash>,
    /// The new content.
    pub(crate) bytes: &'a [u8],
    /// The mode; by default that of the old file, or 0666 minus the umask.
    pub(crate) mode: Option<u32>,
    /// The name of the temporary file; see [`temp_name`].
    pub(crate) temp_name: &'a str,
}

/// Like [`replace`], for a resolved place whose folder exists.
pub(crate) fn put(place: &Place, new: &NewContent<'_>) -> Result<(), ToolError> {
    put_with(place, new, &mut || {})
}

/// Like [`put`]. For tests, `before_swap` runs at the point where another program may interfere.
fn put_with(
    place: &Place,
    new: &NewContent<'_>,
    before_swap: &mut dyn FnMut(),
) -> Result<(), ToolError> {
    let temp = OsString::from(new.temp_name);
    if !place.missing.is_empty() {
        return Err(ToolError::NotFound {
            path: place.shown(),
        });
    }
    let failed = |error: io::Error| ToolError::io("writing", &place.rel, &error);
    if stat_at(&place.dir, &temp).map_err(failed)?.is_some() {
        let after = Some(ContentHash::of(new.bytes));
        settle_at(place, new.expected, after, new.temp_name)?;
    }
    let old = expect(place, new.expected)?;
    let part = part_name(&temp);
    write_part(&place.dir, &part, new, old.as_ref()).map_err(failed)?;
    let mut leftover = Leftover {
        dir: &place.dir,
        name: part,
    };
    rename_new(&place.dir, &leftover.name, &temp).map_err(failed)?;
    leftover.name.clone_from(&temp);
    before_swap();
    match new.expected {
        None => match rename_new(&place.dir, &temp, &place.name) {
            Ok(()) => leftover.keep(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(changed(place, &place.name));
            }
            Err(error) => return Err(failed(error)),
        },
        Some(expected) => exchange_expecting(place, new, expected, leftover)?,
    }
    bytecode::forget(&place.dir, &place.name);
    sync_folder(&place.dir).map_err(failed)
}

/// Removes the file at `place` if it still is `expected`.
pub(crate) fn remove(
    place: &Place,
    expected: ContentHash,
    temp_name: &str,
) -> Result<(), ToolError> {
    let temp = OsString::from(temp_name);
    let failed = |error: io::Error| ToolError::io("deleting", &place.rel, &error);
    if stat_at(&place.dir, &temp).map_err(failed)?.is_some() {
        settle_at(place, Some(expected), None, temp_name)?;
    }
    expect(place, Some(expected))?;
    rename_new(&place.dir, &place.name, &temp).map_err(failed)?;
    match hash_at(&place.dir, &temp).map_err(failed)? {
        Found::Content(hash) if hash == expected => {
            rustix::fs::unlinkat(&place.dir, &temp, AtFlags::empty())
                .map_err(|error| failed(error.into()))?;
        }
        _ => {
            let error = changed(place, &temp);
            rename_new(&place.dir, &temp, &place.name).map_err(failed)?;
            return Err(error);
        }
    }
    sync_folder(&place.dir).map_err(failed)
}

/// Checks that the file is as expected and may be written to; returns its metadata.
fn expect(place: &Place, expected: Option<ContentHash>) -> Result<Option<Stat>, ToolError> {
    let stat = place.stat()?;
    match (&stat, expected) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ToolError::ChangedMeanwhile {
            path: place.shown(),
            other: None,
        }),
        (Some(found), _) => {
            may_write(place, found)?;
            let failed = |error: io::Error| ToolError::io("reading", &place.rel, &error);
            match hash_at(&place.dir, &place.name).map_err(failed)? {
                Found::Content(hash) if Some(hash) == expected => Ok(stat),
                _ => Err(changed(place, &place.name)),
            }
        }
    }
}

/// Refuses anything but a regular file with a single hard link.
pub(crate) fn may_write(place: &Place, stat: &Stat) -> Result<(), ToolError> {
    if let Some(kind) = kind_of(stat) {
        return Err(ToolError::NotAFile {
            path: place.shown(),
            kind,
        });
    }
    // The type of the field differs between architectures.
    #[allow(clippy::useless_conversion)]
    let links = u64::from(stat.st_nlink);
    if links > 1 {
        return Err(ToolError::HardLinked {
            path: place.shown(),
            links,
        });
    }
    Ok(())
}

fn exchange_expecting(
    place: &Place,
    new: &NewContent<'_>,
    expected: ContentHash,
    leftover: Leftover<'_>,
) -> Result<(), ToolError> {
    let dir = &place.dir;
    let temp = OsStr::new(new.temp_name);
    let failed = |error: io::Error| ToolError::io("writing", &place.rel, &error);
    match exchange(dir, temp, &place.name) {
        Ok(()) => {}
        Err(Errno::NOENT) => {
            return Err(ToolError::ChangedMeanwhile {
                path: place.shown(),
                other: None,
            });
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            expect(place, Some(expected))?;
            rustix::fs::renameat(dir, temp, dir, &place.name)
                .map_err(|error| failed(error.into()))?;
            leftover.keep();
            return Ok(());
        }
        Err(error) => return Err(failed(error.into())),
    }
    match hash_at(dir, temp) {
        // `leftover` removes the old content, which is now named `temp`.
        Ok(Found::Content(hash)) if hash == expected => Ok(()),
        found => {
            let error = match found {
                Err(error) => failed(error),
                Ok(_) => changed(place, temp),
            };
            let back = exchange(dir, temp, &place.name);
            let ours = Found::Content(ContentHash::of(new.bytes));
            if back.is_err() || hash_at(dir, temp).ok() != Some(ours) {
                // `temp` is not ours, so it may be the only copy of someone's content. The next
                // operation on this file makes it visible.
                leftover.keep();
            }
            back.map_err(|error| failed(error.into()))?;
            Err(error)
        }
    }
}

fn exchange(dir: &Dir, one: &OsStr, other: &OsStr) -> Result<(), Errno> {
    rustix::fs::renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE)
}

/// Renames to a name that must not exist yet.
fn rename_new(dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
    match rustix::fs::renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
        result => return result.map_err(io::Error::from),
    }
    rustix::fs::linkat(dir, from, dir, to, AtFlags::empty())?;
    Ok(rustix::fs::unlinkat(dir, from, AtFlags::empty())?)
}

fn part_name(temp: &OsStr) -> OsString {
    let mut part = temp.to_owned();
    part.push(".part");
    part
}

fn write_part(dir: &Dir, part: &OsStr, new: &NewContent<'_>, old: Option<&Stat>) -> io::Result<()> {
    match rustix::fs::unlinkat(dir, part, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    let mode = new.mode.or(old.map(mode_of));
    // Private until its mode is set, since others may not be allowed to read the old file.
    let first = if mode.is_some() { 0o600 } else { 0o666 };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(dir, part, flags, Mode::from_raw_mode(first))?;
    let leftover = Leftover {
        dir,
        name: part.to_owned(),
    };
    let mut file = File::from(file);
    file.write_all(new.bytes)?;
    if let Some(old) = old {
        let made = rustix::fs::fstat(&file)?;
        if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid) {
            let (owner, group) = (Uid::from_raw(old.st_uid), Gid::from_raw(old.st_gid));
            // Only the superuser may change the owner; the content matters more.
            let _ = rustix::fs::fchown(&file, Some(owner), Some(group));
        }
    }
    if let Some(mode) = mode {
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
    }
    if let Some(later) = old.and_then(|old| later_second(old, new.bytes.len())) {
        file.set_modified(later)?;
    }
    file.sync_all()?;
    leftover.keep();
    Ok(())
}

/// The modification time to set if new content has the same size as the old and was written in the
/// same second. Compilers that compare size and second would otherwise not notice the change.
#[allow(clippy::useless_conversion)]
fn later_second(old: &Stat, size: usize) -> Option<SystemTime> {
    let is_same_size = usize::try_from(old.st_size).is_ok_and(|before| before == size);
    let second = u64::try_from(i64::from(old.st_mtime)).ok()?;
    let next = UNIX_EPOCH.checked_add(Duration::from_secs(second + 1))?;
    (is_same_size && SystemTime::now() < next).then_some(next)
}

/// A temporary file that is removed if its operation fails.
struct Leftover<'a> {
    dir: &'a Dir,
    name: OsString,
}

impl Leftover<'_> {
    fn keep(mut self) {
        self.name = OsString::new();
    }
}

impl Drop for Leftover<'_> {
    fn drop(&mut self) {
        if !self.name.is_empty() {
            // On failure, another error is already being reported, or the next operation on this
            // file cleans up.
            let _ = rustix::fs::unlinkat(self.dir, &self.name, AtFlags::empty());
        }
    }
}

/// The kind of entry found under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing.
    Nothing,
    /// A regular file with this content.
    Content(ContentHash),
    /// Anything else.
    Irregular,
}

/// What a name leads to, without following links; the content of a regular file is hashed.
pub(crate) fn hash_at(dir: &Dir, name: &OsStr) -> io::Result<Found> {
    match stat_at(dir, name)? {
        None => return Ok(Found::Nothing),
        Some(stat) if kind_of(&stat).is_some() => return Ok(Found::Irregular),
        Some(_) => {}
    }
    let Some((file, _)) = open_regular(dir, name)? else {
        return Ok(Found::Nothing);
    };
    Ok(Found::Content(hash_of(file)?))
}

/// The hash of the remaining content.
pub(crate) fn hash_of(mut file: impl io::Read) -> io::Result<ContentHash> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(read) => hasher.update(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The error that `place` was changed, with the content of the file `name`.
fn changed(place: &Place, name: &OsStr) -> ToolError {
    let other = open_regular(&place.dir, name)
        .ok()
        .flatten()
        .and_then(|(file, _)| read_all(file, MAX_OTHER).ok().flatten());
    ToolError::ChangedMeanwhile {
        path: place.shown(),
        other,
    }
}
