//! What a machine needs, and what it is called in each family of systems.

/// What the machine is set up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Building and starting the programs.
    Run,
    /// The tests as well, which open windows on a virtual display.
    Test,
}

/// Something that must be there, and its package in each family (apt, dnf, pacman, zypper).
pub(super) struct Need {
    pub(super) what: What,
    pub(super) from: Purpose,
    pub(super) packages: [&'static str; 4],
}

/// How it is told whether something is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// A program on the PATH.
    Program(&'static str),
    /// A library with its headers, by the name that pkg-config knows.
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

/// A C compiler stands here for completeness: without one, nothing written in Rust links, and
/// this program would not have started. It can still be absent under the name that the bundled
/// SQLite is built with. pkg-config stands before the libraries that it is asked about.
pub(super) const NEEDS: [Need; 14] = [
    // The sandbox of commands; its tests try to escape from the real thing.
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
    // The window: the webview, and the icon in the tray.
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
    // The user interface is built with Node; which version is looked at below.
    program_of(
        Purpose::Run,
        "node",
        ["nodejs", "nodejs", "nodejs", "nodejs20"],
    ),
    program_of(Purpose::Run, "npm", ["npm", "npm", "npm", "npm20"]),
    // The journeys plan and run a Python project; so does the sample.
    program_of(
        Purpose::Run,
        "python3",
        ["python3", "python3", "python", "python3"],
    ),
    // The journeys in the window: a screen, a session bus, somebody to click, and pictures.
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
    // The bench asks the screen for titles of windows.
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
