"""Seccomp: which calls of the system a Linux process may make, decided by itself and for good."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys

from coterie.core.io.platform.landlock import forbid_new_privileges

_SECCOMP_CALL = {"x86_64": 317, "aarch64": 277}
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_FILTER, _ALL_THREADS = 1, 1
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X32 = 0x40000000  # other numbers for the same calls
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_NEW_THREAD = 0x00010000

# By what they would do: (x86_64, aarch64); None where a processor has no such call.
_NETWORK = (
    *((41, 198), (42, 203), (43, 202), (288, 242), (49, 200), (50, 201)),
    *((46, 211), (307, 269), (47, 212), (299, 243)),  # messages, which can carry handles
)
_PROGRAMS = ((59, 221), (322, 281), (57, None), (58, None))
_OTHER_PROCESSES = (
    *((101, 117), (62, 129), (200, 130), (129, 138), (297, 240)),
    *((424, 424), (434, 434), (438, 438), (310, 270), (311, 271)),
)
_SYSTEM = (
    *((165, 40), (166, 39), (155, 41), (161, 51), (272, 97), (308, 268), (442, 442)),
    *((428, 428), (429, 429), (430, 430), (431, 431), (432, 432), (433, 433)),
    *((321, 280), (298, 241), (323, 282), (425, 425), (426, 426), (427, 427)),
    *((250, 219), (248, 217), (249, 218), (175, 105), (313, 273), (176, 106), (246, 104)),
    *((320, 294), (169, 142), (167, 224), (168, 225), (163, 89), (164, 170), (227, 112)),
    *((304, 265), (303, 264), (172, None), (173, None), (135, 92)),
)
# Landlock does not watch over these.
_OWNERS_AND_MODES = (
    *((90, None), (91, 52), (268, 53), (452, 452), (92, None), (93, 55), (94, None), (260, 54)),
    *((188, 5), (189, 6), (190, 7), (105, 146), (106, 144), (113, 145), (114, 143)),
    *((116, 159), (117, 147), (119, 149), (126, 91)),
    *((86, None), (265, 37), (88, None), (266, 36), (133, None), (259, 33)),
)
_REFUSED = (*_NETWORK, *_PROGRAMS, *_OTHER_PROCESSES, *_SYSTEM, *_OWNERS_AND_MODES)
_CLONE, _CLONE3, _SIGNAL_THREAD = (56, 220), (435, 435), (234, 131)


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("first", ctypes.POINTER(_Instruction)))


def refuse_system_calls() -> bool:
    """Refuse this process the network, other programs and processes, and the system itself.

    Also what changes the owners and modes of files. Returns whether this system can do so.
    """
    machine = platform.machine()
    if sys.platform != "linux" or machine not in _ARCHITECTURE:
        return False
    lines = _instructions(machine, os.getpid())
    program = _Program(len(lines), (_Instruction * len(lines))(*lines))
    forbid_new_privileges()
    system = ctypes.CDLL(None, use_errno=True)
    call = _SECCOMP_CALL[machine]
    return bool(system.syscall(call, _FILTER, _ALL_THREADS, ctypes.byref(program)) == 0)


def _instructions(machine: str, pid: int) -> list[_Instruction]:
    which = 0 if machine == "x86_64" else 1
    refusal = _Instruction(_RETURN, 0, 0, _ERRNO | errno.EPERM)
    allowance = _Instruction(_RETURN, 0, 0, _ALLOW)
    lines = [
        _Instruction(_LOAD, 0, 0, _ARCHITECTURE_AT),
        _Instruction(_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        _Instruction(_RETURN, 0, 0, _KILL),
        _Instruction(_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        lines += [_Instruction(_AT_LEAST, 0, 1, _X32), refusal]
    for numbers in _REFUSED:
        if (number := numbers[which]) is not None:
            lines += [_Instruction(_EQUAL, 0, 1, number), refusal]
    # Without this call, the C library asks for threads in the way that can be looked at below.
    lines += [
        _Instruction(_EQUAL, 0, 1, _CLONE3[which]),
        _Instruction(_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
        _Instruction(_EQUAL, 0, 4, _CLONE[which]),
        _Instruction(_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        _Instruction(_ANY_BIT, 0, 1, _NEW_THREAD),
        allowance,
        refusal,
        # A thread of this process may be signalled, as `abort` does.
        _Instruction(_EQUAL, 0, 4, _SIGNAL_THREAD[which]),
        _Instruction(_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        _Instruction(_EQUAL, 0, 1, pid),
        allowance,
        refusal,
    ]
    return [*lines, allowance]
