//! The requirements of a machine, and their package names for each package manager.

/// The purpose of the set-up, which decides what it requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Building and starting the programs.
    Run,
    /// Also running the tests, which open windows on a virtual display.
    Test,
}

/// A requirement and its package for each package manager (apt, dnf, pacman, zypper).
pub(super) struct Need {
    pub(super) what: What,
    pub(super) from: Purpose,
    pub(super) packages: [&'static str; 4],
}

/// How to check for a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A program on the PATH.
    Program(&'static str),
    /// A library with headers, by its pkg-config name.
    Library(&'static str),
}

impl What {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Program(name) | Self::Library(name) => name,
        }
    }
}

const fn program_of(from: Purpose, name: &'static str, packages: [&'static str; 4]) -> Need {
    Need {
        what: What::Program(name),
        from,
        packages,
    }
}

const fn library(name: &'static str, packages: [&'static str; 4]) -> Need {
    Need {
        what: What::Library(name),
        from: Purpose::Run,
        packages,
    }
}

/// All requirements. Without a C compiler, Rust could not have linked this program; one is still
/// listed because the bundled SQLite may look for it under another name. pkg-config comes before
/// the libraries, since it is used to check for them.
pub(super) const NEEDS: [Need; 14] = [
    // The sandbox for commands; its tests try to escape from the real one.
    program_of(Purpose::Run, "bwrap", ["bubblewrap"; 4]),
    program_of(Purpose::Run, "git", ["git"; 4]),
    program_of(
        Purpose::Run,
        "cc",
        ["build-essential", "gcc", "base-devel", "gcc"],
    ),
    program_of(
        Purpose::Run,
        "pkg-config",
        ["pkg-config", "pkgconf-pkg-config", "pkgconf", "pkg-config"],
    ),
    // For the window: the webview and the tray icon.
    library(
        "webkit2gtk-4.1",
        [
            "libwebkit2gtk-4.1-dev",
            "webkit2gtk4.1-devel",
            "webkit2gtk-4.1",
            "webkit2gtk3-devel",
        ],
    ),
    library(
        "ayatana-appindicator3-0.1",
        [
            "libayatana-appindicator3-dev",
            "libayatana-appindicator-gtk3-devel",
            "libayatana-appindicator",
            "libayatana-appindicator3-devel",
        ],
    ),
    // Node, which builds the user interface; its version is checked separately.
    program_of(
        Purpose::Run,
        "node",
        ["nodejs", "nodejs", "nodejs", "nodejs20"],
    ),
    program_of(Purpose::Run, "npm", ["npm", "npm", "npm", "npm20"]),
    // The journeys and the sample use a Python project.
    program_of(
        Purpose::Run,
        "python3",
        ["python3", "python3", "python", "python3"],
    ),
    // For the journeys in the window: a screen, a session bus, input and screenshots.
    program_of(
        Purpose::Test,
        "Xvfb",
        [
            "xvfb",
            "xorg-x11-server-Xvfb",
            "xorg-server-xvfb",
            "xorg-x11-server-Xvfb",
        ],
    ),
    program_of(
        Purpose::Test,
        "dbus-run-session",
        ["dbus", "dbus-daemon", "dbus", "dbus-1-daemon"],
    ),
    program_of(
        Purpose::Test,
        "WebKitWebDriver",
        [
            "webkit2gtk-driver",
            "webkit2gtk-driver",
            "webkit2gtk-4.1",
            "webkit2gtk-driver",
        ],
    ),
    // The bench looks up window titles on the screen.
    program_of(
        Purpose::Test,
        "xdotool",
        ["xdotool", "xdotool", "xdotool", "xdotool"],
    ),
    program_of(
        Purpose::Test,
        "import",
        ["imagemagick", "ImageMagick", "imagemagick", "ImageMagick"],
    ),
];
