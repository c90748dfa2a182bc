//! Chooses whether the page is rendered with or without the GPU.
//!
//! Without a GPU, WebKit emulates its compositor in software, and scrolling a long outline drops
//! from 60 to 20 frames a second; rendering directly into the window is faster there. The choice
//! has to be in the environment before GTK starts. `PLANWRIGHT_RENDERING=gpu` or `cpu` overrides
//! it.

use std::ffi::OsString;
use std::path::Path;

use serde::Serialize;
use specta::Type;

/// The environment variable that WebKit reads.
const SWITCH: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";

/// How the page is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rendering {
    /// Composited by the GPU.
    Gpu,
    /// Rendered directly into the window.
    Cpu,
}

/// Chooses the mode and sets WebKit's variable. Call it before starting any thread.
#[allow(
    unsafe_code,
    reason = "WebKit reads this only from the environment, and no other thread exists yet"
)]
pub(crate) fn choose() -> Rendering {
    let set_by_user = std::env::var_os(SWITCH);
    if let Some(value) = set_by_user {
        return if value == "0" {
            Rendering::Gpu
        } else {
            Rendering::Cpu
        };
    }
    if !cfg!(target_os = "linux") {
        return Rendering::Gpu;
    }
    let rendering = decide(
        |name| std::env::var_os(name),
        &render_drivers(Path::new("/sys/class/drm")),
    );
    if rendering == Rendering::Cpu {
        // SAFETY: called first in `main`, before any thread is started.
        unsafe { std::env::set_var(SWITCH, "1") };
    }
    rendering
}

/// The drivers of this machine's render nodes.
fn render_drivers(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("renderD"))
        // Ignore nodes that this process can't access.
        .filter(|entry| Path::new("/dev/dri").join(entry.file_name()).exists())
        .map(|entry| {
            let driver = entry.path().join("device/driver").read_link();
            let name = driver
                .ok()
                .and_then(|path| Some(path.file_name()?.to_owned()));
            name.unwrap_or_default().to_string_lossy().into_owned()
        })
        .collect()
}

fn decide(variable: impl Fn(&str) -> Option<OsString>, drivers: &[String]) -> Rendering {
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    if is("PLANWRIGHT_RENDERING", "gpu") {
        return Rendering::Gpu;
    }
    let is_software = is("PLANWRIGHT_RENDERING", "cpu")
        || is("LIBGL_ALWAYS_SOFTWARE", "1")
        || is("LIBGL_ALWAYS_SOFTWARE", "true")
        || ["llvmpipe", "softpipe", "swrast"]
            .iter()
            .any(|name| is("GALLIUM_DRIVER", name));
    // `vgem` and `vkms` provide a render node without any hardware.
    let has_card = drivers
        .iter()
        .any(|driver| !["vgem", "vkms"].contains(&driver.as_str()));
    if is_software || !has_card {
        Rendering::Cpu
    } else {
        Rendering::Gpu
    }
}

#[cfg(test)]
mod tests {
    use super::{Rendering, decide};

    fn with(variables: &[(&str, &str)], drivers: &[&str]) -> Rendering {
        let drivers: Vec<String> = drivers.iter().map(|&name| name.to_owned()).collect();
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        decide(|name| find(name).map(|(_, value)| value.into()), &drivers)
    }

    #[test]
    fn a_card_is_used_where_there_is_one() {
        assert_eq!(with(&[], &["i915"]), Rendering::Gpu);
        assert_eq!(with(&[], &["vgem", "amdgpu"]), Rendering::Gpu);
        assert_eq!(with(&[], &[]), Rendering::Cpu);
        assert_eq!(with(&[], &["vgem"]), Rendering::Cpu);
    }

    #[test]
    fn a_software_driver_in_the_environment_counts_as_no_card() {
        assert_eq!(
            with(&[("LIBGL_ALWAYS_SOFTWARE", "1")], &["i915"]),
            Rendering::Cpu
        );
        assert_eq!(
            with(&[("GALLIUM_DRIVER", "llvmpipe")], &["i915"]),
            Rendering::Cpu
        );
    }

    #[test]
    fn the_own_variable_overrides_both_ways() {
        assert_eq!(
            with(&[("PLANWRIGHT_RENDERING", "gpu")], &[]),
            Rendering::Gpu
        );
        assert_eq!(
            with(&[("PLANWRIGHT_RENDERING", "cpu")], &["i915"]),
            Rendering::Cpu
        );
    }
}
