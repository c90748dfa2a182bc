//! Packages, services, processes, disks and accounts of the machine.

use super::clouds::verbs;
use super::words::has;
use super::{Harm, harm, said};
use crate::word_list::WordList;

/// What programs for the machine itself take away.
pub(super) fn harms(name: &str, words: &[String], named: &[String], is_listed: bool) -> Vec<Harm> {
    let first = named.first().map(String::as_str).unwrap_or_default();
    let second = named.get(1).map(String::as_str).unwrap_or_default();
    match name {
        "wipefs" | "blkdiscard" | "mkswap" | "sgdisk" | "parted" | "sfdisk" | "cfdisk"
            if !has(words, 'l', "--list") =>
        {
            harm("wipes a disk", said(named))
        }
        "fdisk" if !has(words, 'l', "--list") => harm("changes a disk's partitions", said(named)),
        "mke2fs" => harm("formats a disk", said(named)),
        _ if name == "mkfs" || name.starts_with("mkfs.") => harm("formats a disk", said(named)),
        "cryptsetup" if matches!(first, "luksFormat" | "erase" | "luksErase" | "reencrypt") => {
            harm("wipes a disk", said(named))
        }
        "nvme" if first == "format" => harm("wipes a disk", said(named)),
        "btrfs" if first == "subvolume" && second == "delete" => {
            harm("destroys a file system", said(named))
        }
        "zfs" | "zpool" if matches!(first, "destroy" | "rollback" | "labelclear") => {
            harm("destroys a file system", said(named))
        }
        "lvremove" | "vgremove" | "pvremove" | "userdel" | "deluser" | "groupdel" | "delgroup" => {
            harm("removes from the system", said(named))
        }
        "crontab" if has(words, 'l', "") || has(words, 'e', "") => Vec::new(),
        "crontab" if has(words, 'r', "--remove") => {
            harm("deletes the table of timed jobs", Vec::new())
        }
        "crontab" if !named.is_empty() => harm("overwrites the table of timed jobs", said(named)),
        "iptables" | "ip6tables" if has(words, 'F', "--flush") || has(words, 'X', "") => {
            harm("drops rules of the firewall", said(named))
        }
        "ufw" if matches!(first, "reset" | "disable") => {
            harm("drops rules of the firewall", said(named))
        }
        "nft" if first == "flush" => harm("drops rules of the firewall", said(named)),
        "systemctl" | "service" | "rc-service" | "supervisorctl" | "pm2" | "initctl"
        | "launchctl" => services(name, words),
        "shutdown" | "reboot" | "poweroff" | "halt" => harm("stops the machine", said(named)),
        "kill" => processes(words, is_listed),
        "pkill" | "killall" | "skill" | "xkill" => harm("ends processes", said(named)),
        "fuser" if has(words, 'k', "--kill") => harm("ends processes", said(named)),
        _ => packages(name, words, named),
    }
}

fn services(name: &str, words: &[String]) -> Vec<Harm> {
    let verbs = verbs(name, words);
    let stops = verbs.iter().take(2).any(|word| {
        WordList("stop disable mask kill poweroff reboot halt delete unload bootout").contains(word)
    });
    match stops {
        true => harm("stops a service", said(&verbs)),
        false => Vec::new(),
    }
}

/// `kill`, unless it only asks, or ends what the same line has started.
fn processes(words: &[String], is_listed: bool) -> Vec<Harm> {
    let asks = |word: &String| matches!(word.as_str(), "-l" | "-L" | "-0" | "--list");
    if words.iter().any(asks) {
        return Vec::new();
    }
    let rest = match words {
        [how, _, rest @ ..] if matches!(how.as_str(), "-s" | "-n" | "--signal") => rest,
        [how, rest @ ..] if how.starts_with('-') => rest,
        all => all,
    };
    let is_own = |word: &&String| word.starts_with('%') || word.as_str() == "$!";
    let ended: Vec<String> = rest
        .iter()
        .filter(|word| *word != "--" && !is_own(word))
        .cloned()
        .collect();
    match ended.is_empty() && !is_listed {
        true => Vec::new(),
        false => harm("ends processes", said(&ended)),
    }
}

fn packages(name: &str, words: &[String], named: &[String]) -> Vec<Harm> {
    let verbs = verbs(name, words);
    let at = |at: usize| verbs.get(at).map(String::as_str).unwrap_or_default();
    let (first, second) = (at(0), at(1));
    let removes = match name {
        "apt" | "apt-get" | "aptitude" | "nala" => {
            matches!(first, "remove" | "purge" | "autoremove" | "autopurge")
                && !has(words, 's', "--simulate")
        }
        "dnf" | "yum" | "zypper" | "microdnf" => {
            matches!(first, "remove" | "erase" | "rm" | "autoremove")
        }
        "apk" => first == "del",
        "pacman" | "yay" | "paru" => words.iter().any(|word| word.starts_with("-R")),
        "rpm" => has(words, 'e', "--erase"),
        "brew" | "snap" | "flatpak" | "port" | "nix-env" | "winget" | "scoop" | "choco" => {
            matches!(first, "uninstall" | "remove" | "rm" | "autoremove")
        }
        "dpkg" => words
            .iter()
            .any(|word| matches!(word.as_str(), "-r" | "--remove" | "-P" | "--purge")),
        "gem" | "conda" | "mamba" | "pipx" => matches!(first, "uninstall" | "remove"),
        "npm" => WordList("uninstall remove rm un r unlink unpublish").contains(first),
        "pnpm" | "yarn" | "bun" | "poetry" | "composer" | "pdm" => {
            matches!(first, "remove" | "rm" | "un" | "uninstall")
        }
        "uv" => {
            first == "remove"
                || (matches!(first, "pip" | "tool" | "python") && second == "uninstall")
        }
        "cargo" => matches!(first, "remove" | "rm" | "uninstall" | "yank"),
        "rustup" => second == "uninstall" || second == "remove",
        "nvm" | "pyenv" | "rbenv" | "asdf" | "volta" | "fnm" => first == "uninstall",
        "dotnet" => first == "remove" || second == "uninstall",
        _ => name.starts_with("pip") && matches!(first, "uninstall" | "remove"),
    };
    if !removes {
        return Vec::new();
    }
    // Where an option says what is done, no verb stands before the names.
    let is_by_option = matches!(name, "pacman" | "yay" | "paru" | "dpkg" | "rpm");
    let rest = match is_by_option {
        true => named,
        false => verbs.get(1..).unwrap_or_default(),
    };
    harm("removes packages", said(rest))
}
