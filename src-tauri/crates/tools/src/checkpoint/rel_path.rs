//! A path relative to the workspace that survives JSON, even if it is not UTF-8.

use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A path relative to the workspace. As text, it is written unchanged if it is UTF-8, otherwise as
/// NUL followed by its bytes in hexadecimal, since no path contains NUL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(PathBuf);

impl RelPath {
    /// The path as a [`Path`].
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl From<PathBuf> for RelPath {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl From<&str> for RelPath {
    fn from(path: &str) -> Self {
        Self(path.into())
    }
}

impl AsRef<Path> for RelPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl Serialize for RelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => serializer.serialize_str(text),
            None => {
                let bytes = self.0.as_os_str().as_bytes();
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                serializer.serialize_str(&format!("\0{hex}"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for RelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let Some(hex) = text.strip_prefix('\0') else {
            return Ok(Self(text.into()));
        };
        let bytes: Option<Vec<u8>> = (0..hex.len())
            .step_by(2)
            .map(|at| {
                hex.get(at..at + 2)
                    .and_then(|pair| u8::from_str_radix(pair, 16).ok())
            })
            .collect();
        let bytes = bytes.ok_or_else(|| de::Error::custom("invalid hexadecimal in a path"))?;
        Ok(Self(std::ffi::OsString::from_vec(bytes).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_survives_json() {
        for bytes in [&b"src/a b.rs"[..], b"caf\xe9/\xff", "ü/\u{1}".as_bytes()] {
            let path = RelPath(std::ffi::OsString::from_vec(bytes.to_vec()).into());
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<RelPath>(&json).unwrap(), path);
        }
    }
}
