"""The system calls that programs in containers may use, as a seccomp profile for the engine.

It is an allow-list. Left out is what only administrators of a host need (mounts, modules, clocks, keys), namespaces,
and what has a record of escapes and is not needed by builds and tests: io_uring, bpf, userfaultfd, perf, and sockets
but local ones, those of the internet and netlink. In graders, tracing and access to the memory of other processes are
left out, too.
"""

from __future__ import annotations

import json
from typing import Any

# All architectures together; the engine ignores names that the host's does not have.
_ALLOWED = """
    _llseek _newselect accept accept4 access adjtimex alarm arch_prctl bind brk cachestat capget capset chdir chmod
    chown chown32 clock_adjtime clock_adjtime64 clock_getres clock_getres_time64 clock_gettime clock_gettime64
    clock_nanosleep clock_nanosleep_time64 close close_range connect copy_file_range creat dup dup2 dup3
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit
    exit_group faccessat faccessat2 fadvise64 fadvise64_64 fallocate fchdir fchmod fchmodat fchmodat2 fchown
    fchown32 fchownat fcntl fcntl64 fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstat64
    fstatat fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64 futex futex_requeue futex_time64 futex_wait
    futex_waitv futex_wake futimesat get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64
    getegid getegid32 geteuid geteuid32 getgid getgid32 getgroups getgroups32 getitimer getpeername getpgid getpgrp
    getpid getppid getpriority getrandom getresgid getresgid32 getresuid getresuid32 getrlimit getrusage getsid
    getsockname getsockopt gettid gettimeofday getuid getuid32 getxattr inotify_add_watch inotify_init inotify_init1
    inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents io_pgetevents_time64 io_setup io_submit ioctl
    ioprio_get ioprio_set ipc kill landlock_add_rule landlock_create_ruleset landlock_restrict_self lchown lchown32
    lgetxattr link linkat listen listxattr llistxattr lremovexattr lseek lsetxattr lstat lstat64 madvise
    map_shadow_stack mbind membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap
    mmap2 modify_ldt mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedreceive_time64 mq_timedsend
    mq_timedsend_time64 mq_unlink mremap mseal msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep
    newfstatat nice open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free
    pkey_mprotect poll ppoll ppoll_time64 prctl pread64 preadv preadv2 prlimit64 pselect6 pselect6_time64 pwrite64
    pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmmsg_time64 recvmsg
    remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending
    rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64
    rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
    sched_getscheduler sched_rr_get_interval sched_rr_get_interval_time64 sched_setaffinity sched_setattr
    sched_setparam sched_setscheduler sched_yield seccomp select semctl semget semop semtimedop semtimedop_time64
    sendfile sendfile64 sendmmsg sendmsg sendto set_mempolicy set_mempolicy_home_node set_robust_list
    set_thread_area set_tid_address setfsgid setfsgid32 setfsuid setfsuid32 setgid setgid32 setgroups setgroups32
    setitimer setpgid setpriority setregid setregid32 setresgid setresgid32 setresuid setresuid32 setreuid
    setreuid32 setrlimit setsid setsockopt setuid setuid32 setxattr shmat shmctl shmdt shmget shutdown sigaction
    sigaltstack signal signalfd signalfd4 sigpending sigprocmask sigreturn sigsuspend socketpair splice stat stat64
    statfs statfs64 statx symlink symlinkat sync sync_file_range sync_file_range2 syncfs sysinfo tee tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime timer_settime64
    timerfd_create timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64 times tkill truncate
    truncate64 ugetrlimit umask uname unlink unlinkat utime utimensat utimensat_time64 utimes vfork vmsplice wait4
    waitid waitpid write writev
""".split()  # noqa: SIM905 - 350 quoted names are no easier to read
_TRACING = ("kcmp", "pidfd_getfd", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace")
_ENOSYS = 38
# AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. The kernel reads only the low 32 bits of the argument.
_SOCKETS = (1, 2, 10, 16)
_LOW_BITS = 0xFFFFFFFF
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
_NAMESPACES = 0x7E020000
# PER_LINUX, PER_LINUX32, both with UNAME26, ADDR_NO_RANDOMIZE (for debuggers), and the query of the current one.
_PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0x40000, 0xFFFFFFFF)


def profile(*, tracing: bool) -> str:
    """The profile as JSON. `tracing`: whether debuggers work, which can change any process of the same user."""
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ERRNO",
            "archMap": [
                {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86"]},
                {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": ["SCMP_ARCH_ARM"]},
            ],
            "syscalls": [
                _rule([*_ALLOWED, *(_TRACING if tracing else ())]),
                *(_masked("socket", _LOW_BITS, family) for family in _SOCKETS),
                _masked("clone", _NAMESPACES, 0),
                *(_rule(["personality"], index=0, value=value, op="SCMP_CMP_EQ") for value in _PERSONALITIES),
                # Its flags are in memory, out of reach; C libraries use clone instead.
                {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
            ],
        }
    )


def _masked(name: str, mask: int, value: int) -> dict[str, Any]:
    """Allows the call if these bits of its first argument have this value."""
    return _rule([name], index=0, value=mask, valueTwo=value, op="SCMP_CMP_MASKED_EQ")


def _rule(names: list[str], **argument: Any) -> dict[str, Any]:
    return {"names": names, "action": "SCMP_ACT_ALLOW", "args": [argument] if argument else []}
