"""Run a program that the kernel ends at its first socket that is not a local one: `python without_sockets.py PROGRAM
[ARGUMENTS]`.

A filter of system calls (seccomp) is put in place before the program starts; it holds for all it starts in turn, for
Python and for C++ alike. Local sockets (AF_UNIX), by which a program talks to its desktop, are left alone.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import struct
import sys

# linux/audit.h and the tables of system calls: the architecture's number, and the number of socket() there
ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # linux/bpf_common.h: BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_RET|K
ALLOW, KILL = 0x7FFF0000, 0x80000000  # linux/seccomp.h: SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS
CALL, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


class Program(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def forbid_sockets() -> None:
    """End this process and all it starts at the first socket that is not AF_UNIX; there is no way back."""
    architecture, socket_call = ARCHITECTURES[platform.machine()]
    steps = (
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_IF_EQUAL, 0, 4, architecture),  # a call of another architecture: kill
        (LOAD, 0, 0, CALL),
        (JUMP_IF_EQUAL, 0, 3, socket_call),  # any other call: allow
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_IF_EQUAL, 1, 0, int(socket.AF_UNIX)),
        (RETURN, 0, 0, KILL),
        (RETURN, 0, 0, ALLOW),
    )
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)
    program = Program(len(steps), code)
    for arguments in (
        (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0),
    ):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the filter of system calls could not be put in place")


if __name__ == "__main__":
    forbid_sockets()
    os.execvp(sys.argv[1], sys.argv[1:])
