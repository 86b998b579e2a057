"""Computers of their own for services, their database and their clients: network namespaces, with cables between them.

A namespace ends with the last program in it and the last file that names it, whatever becomes of the tests.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess

IP = shutil.which("ip") or "/usr/sbin/ip"
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x4000_0000


def _own():
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY)


def _succeeds(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Computer:
    def __init__(self):
        before = _own()
        try:
            _succeeds(LIBC.unshare(CLONE_NEWNET))
            self.namespace = _own()
            _succeeds(LIBC.setns(before, CLONE_NEWNET))
        finally:
            os.close(before)
        self.path = f"/proc/{os.getpid()}/fd/{self.namespace}"
        # What runs a program on it.
        self.under = ["nsenter", f"--net={self.path}"]
        self.ip("link", "set", "lo", "up")

    def ip(self, *arguments):
        ran = subprocess.run([*self.under, IP, *arguments], capture_output=True, text=True)
        if ran.returncode != 0:
            raise OSError(ran.stderr.strip())

    @contextlib.contextmanager
    def entered(self):
        """The thread is on it meanwhile, and so are the threads and programs that it starts."""
        before = _own()
        try:
            _succeeds(LIBC.setns(self.namespace, CLONE_NEWNET))
            yield
        finally:
            _succeeds(LIBC.setns(before, CLONE_NEWNET))
            os.close(before)

    def close(self):
        os.close(self.namespace)


class Network:
    """A computer of the clients, one of the database, and one of each service, which has a cable to each of these."""

    # Services reach this one through their clients' computer.
    clients_address = "10.0.0.1"

    def __init__(self, closing, count):
        def computer():
            closing.callback((made := Computer()).close)
            return made

        self.clients, self.database = computer(), computer()
        self.services = [computer() for _ in range(count)]
        self.clients.ip("address", "add", self.clients_address, "dev", "lo")
        for index, service in enumerate(self.services):
            for net, other, name in [(1, self.clients, "clients"), (2, self.database, "database")]:
                other.ip("link", "add", "dev", f"service{index}", "type", "veth", "peer", "name", name, "netns", service.path)
                for end, one, device in [(1, other, f"service{index}"), (2, service, name)]:
                    one.ip("address", "add", f"10.{net}.{index}.{end}/24", "dev", device)
                    one.ip("link", "set", device, "up")
            service.ip("route", "add", "default", "via", f"10.1.{index}.1")

    def service_address(self, index):
        return f"10.1.{index}.2"

    def database_address(self, index):
        return f"10.2.{index}.1"
