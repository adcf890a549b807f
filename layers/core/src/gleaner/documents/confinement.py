"""Take from the process that reads a PDF all that it does not need: files, the network, other processes, memory, time.

It has read the document and loaded its code by then. What is left to it is to compute and to write to its pipe.
"""

import ctypes
import os
import platform
import struct
import sys

NO_MEMORY = 3
"""The exit code of a process that gets no more memory."""
_NEEDED = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "getpid": (39, 172),
    "exit": (60, 93),
    "getrusage": (98, 165),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
}
"""The system calls that remain, with their numbers on x86-64 and on 64-bit ARM (Linux's unistd.h)."""
_TGKILL = (234, 131)
"""To end itself; other processes are refused."""
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_LOAD, _IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_SET_DUMPABLE, _SET_SECCOMP, _NO_NEW_PRIVILEGES, _FILTER = 4, 22, 38, 2


def confine(memory: int, seconds: int) -> None:
    """Bound this process to bytes of memory and seconds of processor time, and close all else to it.

    Limits of resources are there on every Unix, filters of system calls on Linux alone, and only where the machine
    that Python runs in lets a process have one: what is refused is left as it is.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 0,
        getattr(resource, "RLIMIT_NPROC", resource.RLIMIT_CORE): 0,
    }
    for name, most in limits.items():
        resource.setrlimit(name, (most, most))
    if sys.platform == "linux" and platform.machine() in _MACHINES:
        _refuse_system_calls(*_MACHINES[platform.machine()])


def _refuse_system_calls(column: int, machine: int) -> None:
    """Let the kernel refuse all calls but those needed (seccomp(2)); no other process may look into this one."""
    tests = [(_LOAD, 0, 0, _MACHINE), (_IF_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, _NUMBER)]
    for numbers in _NEEDED.values():
        tests += [(_IF_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _ALLOW)]
    tests += [(_IF_EQUAL, 0, 3, _TGKILL[column]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    tests += [(_IF_EQUAL, 0, 1, os.getpid()), (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *test) for test in tests))
    program = ctypes.create_string_buffer(struct.pack("HP", len(tests), ctypes.addressof(code)))
    control = ctypes.CDLL(None).prctl
    control(_SET_DUMPABLE, 0, 0, 0, 0)
    control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    control(_SET_SECCOMP, _FILTER, program, 0, 0)
