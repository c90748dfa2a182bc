//! The system-call filters.
//!
//! A filter lists what is refused; everything else is allowed. Refused calls fail with `EPERM`,
//! except `clone3`, whose flags a filter can't read: it fails with `ENOSYS`, which makes every C
//! library fall back to `clone`.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use super::{Mode, Tier};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refused in both tiers: escapes from a sandbox, and access to other processes or the kernel.
const NEVER: &[libc::c_long] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    OPEN_TREE_ATTR,
];

// The numbers are the same on every architecture; the libc crate lacks some of them.
const OPEN_TREE_ATTR: libc::c_long = 467;
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;

/// Tier B: calls that change modes, owners, timestamps and attributes by path, which Landlock does
/// not restrict.
const METADATA_BY_PATH: &[libc::c_long] = &[
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Tier B in plan mode: the same changes to open files. In exec mode, builds need these calls,
/// which then only affect files that Landlock lets the command open.
const METADATA_BY_FILE: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchown,
    libc::SYS_fsetxattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
];

/// Tier B: IPC between processes of a user, for which tier A has namespaces.
const SHARED_BY_USER: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Tier B: calls that take a process ID, and the index of that argument; 0 is the calling process.
const OF_ANOTHER: &[(libc::c_long, u8)] = &[
    (libc::SYS_prlimit64, 0),
    (libc::SYS_setpriority, 0),
    (libc::SYS_setpriority, 1),
    (libc::SYS_ioprio_set, 1),
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setattr, 0),
    (libc::SYS_sched_setaffinity, 0),
];

/// `ioctl` requests that bypass write permissions: those that inject terminal input, and those that
/// a file's owner may make through a read-only descriptor.
const CONTROLS: &[u64] = &[
    libc::TIOCSTI,
    libc::TIOCLINUX,
    FS_IOC_SETFLAGS,
    FS_IOC32_SETFLAGS,
    FS_IOC_FSSETXATTR,
    FS_IOC_SETVERSION,
    FS_IOC32_SETVERSION,
    FS_IOC_SET_ENCRYPTION_POLICY,
    FS_IOC_ENABLE_VERITY,
    FIDEDUPERANGE,
];
const FS_IOC_SETFLAGS: u64 = 0x4008_6602;
const FS_IOC32_SETFLAGS: u64 = 0x4004_6602;
const FS_IOC_FSSETXATTR: u64 = 0x401c_5820;
const FS_IOC_SETVERSION: u64 = 0x4008_7602;
const FS_IOC32_SETVERSION: u64 = 0x4004_7602;
const FS_IOC_SET_ENCRYPTION_POLICY: u64 = 0x800c_6613;
const FS_IOC_ENABLE_VERITY: u64 = 0x4080_6685;
const FIDEDUPERANGE: u64 = 0xc018_9436;

const NEW_NAMESPACES: &[i32] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The bits of a socket's type that are not flags.
const SOCKET_KINDS: u64 = 0xf;
/// Types of socket pairs whose two sockets can reach only each other.
const CONNECTED_KINDS: [u64; 2] = [libc::SOCK_STREAM as u64, libc::SOCK_SEQPACKET as u64];

/// The filter of a tier and mode.
pub(super) fn program(tier: Tier, mode: Mode) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let rules = rules(tier, mode).map_err(io::Error::other)?;
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let filter =
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(io::Error::other)?;
    let filter: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    Ok(prelude().into_iter().chain(filter).collect())
}

fn rules(tier: Tier, mode: Mode) -> Result<Rules, seccompiler::BackendError> {
    let mut rules = Rules::new();
    let mut refuse = |calls: &[libc::c_long]| {
        // A call without conditions is always refused.
        rules.extend(calls.iter().map(|call| (*call, Vec::new())));
    };
    refuse(NEVER);
    if tier == Tier::Landlock {
        refuse(&[libc::SYS_socket, libc::SYS_connect, libc::SYS_bind]);
        refuse(SHARED_BY_USER);
        refuse(METADATA_BY_PATH);
        if mode == Mode::Plan {
            refuse(METADATA_BY_FILE);
        }
    }
    let mut flags = Vec::new();
    for flag in NEW_NAMESPACES {
        let flag = u64::from(*flag as u32);
        flags.push(rule(&[(0, SeccompCmpOp::MaskedEq(flag), flag)])?);
    }
    rules.insert(libc::SYS_clone, flags);
    let controls = CONTROLS
        .iter()
        .map(|control| rule(&[(1, SeccompCmpOp::Eq, *control)]));
    rules.insert(libc::SYS_ioctl, controls.collect::<Result<_, _>>()?);
    if tier == Tier::Landlock {
        for (call, argument) in OF_ANOTHER {
            let other = rule(&[(*argument, SeccompCmpOp::Ne, 0)])?;
            rules.entry(*call).or_default().push(other);
        }
    }
    if tier == Tier::Bubblewrap {
        // A network namespace confines IP; Unix sockets are reached by path, and VM sockets have no
        // namespace.
        let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
        let others = families.map(|family| (0, SeccompCmpOp::Ne, family as u64));
        rules.insert(libc::SYS_socket, vec![rule(&others)?]);
    }
    // A datagram socket of a pair can send to any address, `SOCK_RAW` is an alias for it, and
    // families other than AF_UNIX are not needed.
    let mut pairs = vec![rule(&[(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)])?];
    for kind in (0..=SOCKET_KINDS).filter(|kind| !CONNECTED_KINDS.contains(kind)) {
        pairs.push(rule(&[(1, SeccompCmpOp::MaskedEq(SOCKET_KINDS), kind)])?);
    }
    rules.insert(libc::SYS_socketpair, pairs);
    if tier == Tier::Landlock && mode == Mode::Exec {
        // Refused with a path; without one, the call refers to the open file.
        rules.insert(
            libc::SYS_utimensat,
            vec![SeccompRule::new(vec![SeccompCondition::new(
                1,
                SeccompCmpArgLen::Qword,
                SeccompCmpOp::Ne,
                0,
            )?])?],
        );
    }
    Ok(rules)
}

/// A rule that matches if all conditions on 32-bit arguments hold.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, seccompiler::BackendError> {
    let conditions = conditions.iter().map(|(argument, how, value)| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, how.clone(), *value)
    });
    SeccompRule::new(conditions.collect::<Result<_, _>>()?)
}

/// The instructions that run before the filter: they refuse `clone3`, and the x32 variants of all
/// calls, whose different numbers would bypass the list.
fn prelude() -> Vec<sock_filter> {
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            1,
            0,
            libc::SYS_clone3 as u32,
        ),
        instruction(
            libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K,
            0,
            1,
            0x4000_0000,
        ),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, absent),
    ]
}

/// The filter in the format of `bwrap --seccomp`: the kernel's structures in sequence.
pub(super) fn bytes(program: &[sock_filter]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for instruction in program {
        bytes.extend_from_slice(&instruction.code.to_ne_bytes());
        bytes.extend_from_slice(&[instruction.jt, instruction.jf]);
        bytes.extend_from_slice(&instruction.k.to_ne_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_and_mode_compiles_to_a_filter_the_kernel_takes() {
        for tier in [Tier::Bubblewrap, Tier::Landlock] {
            for mode in [Mode::Exec, Mode::Plan] {
                let program = program(tier, mode).unwrap();
                assert!(
                    program.len() < 4096,
                    "the kernel's limit: {}",
                    program.len()
                );
                assert_eq!(bytes(&program).len(), program.len() * 8);
            }
        }
    }

    #[test]
    fn plan_mode_in_tier_b_refuses_metadata_by_open_file_too() {
        let rules = |mode| rules(Tier::Landlock, mode).unwrap();
        assert!(!rules(Mode::Exec).contains_key(&libc::SYS_fchmod));
        for call in METADATA_BY_FILE.iter().chain(METADATA_BY_PATH) {
            assert!(
                rules(Mode::Plan)[call].is_empty(),
                "call {call} is refused always"
            );
        }
        assert_eq!(
            rules(Mode::Exec)[&libc::SYS_utimensat].len(),
            1,
            "with a path only"
        );
    }
}
