// Starts and ends processes of this program. An environment variable has them skip main.

#define _GNU_SOURCE
#include "client/client.h"

#if defined(__linux__)

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Older headers lack these numbers, which are the same on all machines.
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
enum { BY_HANDLE = 3 };  // P_PIDFD

// Only a program that contains the bridge can be started as a script process.
static bool is_part_of_program(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    unsigned long count = getauxval(AT_PHNUM);
    uintptr_t base = 0, here = (uintptr_t)&is_part_of_program;
    if (headers == NULL) return false;
    for (unsigned long i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
    for (unsigned long i = 0; i < count; i++) {
        uintptr_t start = base + headers[i].p_vaddr;
        if (headers[i].p_type == PT_LOAD && here >= start && here - start < headers[i].p_memsz)
            return true;
    }
    return false;
}

static void close_one(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

// Moves the process's descriptors to their places; the sources are at numbers that are free there.
static int add_actions(posix_spawn_file_actions_t *actions, int socket, int lifeline) {
    int error = 0;
    for (int i = 0; i < 3 && error == 0; i++)
        error = posix_spawn_file_actions_addopen(
            actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, socket, CHILD_SOCKET);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, lifeline, CHILD_LIFELINE);
    return error;
}

static int spawn(pid_t *number, child_role role, int socket, int lifeline) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char marker[] = CHILD_MARKER "= ", name[] = "flow-script", *libraries = NULL;
    char *arguments[] = {name, NULL};
    marker[sizeof marker - 2] = (char)role;
    const char *path = getenv("LD_LIBRARY_PATH");
    if (path != NULL && asprintf(&libraries, "LD_LIBRARY_PATH=%s", path) < 0) return ENOMEM;
    char *environment[] = {marker, libraries, NULL};
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        error = posix_spawnattr_init(&attributes);
        if (error == 0) {
            // A process group of its own, so that it gets no signals of the host's terminal.
            posix_spawnattr_setflags(
                &attributes,
                POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
            posix_spawnattr_setsigmask(&attributes, &none);
            posix_spawnattr_setsigdefault(&attributes, &all);
            error = add_actions(&actions, socket, lifeline);
            if (error == 0)
                error = posix_spawn(
                    number, "/proc/self/exe", &actions, &attributes, arguments, environment);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    free(libraries);
    return error;
}

// A copy with a number above those that the process needs.
static int raise_descriptor(int descriptor) {
    if (descriptor < 0 || descriptor > CHILD_LIFELINE) return descriptor;
    int raised = fcntl(descriptor, F_DUPFD_CLOEXEC, CHILD_LIFELINE + 1);
    close(descriptor);
    return raised;
}

const char *lb_child_start(child *c, child_role role, child_fork *fork) {
    int sockets[2] = {-1, -1}, pipes[2] = {-1, -1};
    *c = child_none(-1);
    if (!is_part_of_program()) return "the interpreter is not part of the program's own file";
    const char *problem = NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0
        || pipe2(pipes, O_CLOEXEC) != 0)
        problem = "there are no more file descriptors";
    sockets[1] = raise_descriptor(sockets[1]);
    pipes[0] = raise_descriptor(pipes[0]);
    if (problem == NULL && (fork == NULL || !fork(c, sockets[1], pipes[0]))
        && spawn(&c->number, role, sockets[1], pipes[0]) != 0)
        problem = "the process cannot be started";
    close_one(&sockets[1]);
    close_one(&pipes[0]);
    c->socket = sockets[0];
    c->lifeline = pipes[1];
    if (problem == NULL) {
        c->handle = (int)syscall(SYS_pidfd_open, c->number, 0);
        if (c->handle < 0) problem = "the kernel gives no handles for processes";
    }
    if (problem != NULL) lb_child_end(c, NULL);
    return problem;
}

void lb_child_interrupt(const child *c) {
    if (c->handle >= 0) syscall(SYS_pidfd_send_signal, c->handle, SIGUSR1, NULL, 0);
}

void lb_child_end(child *c, siginfo_t *status) {
    siginfo_t unused;
    if (status == NULL) status = &unused;
    *status = (siginfo_t){0};
    if (c->number > 0) {
        if (c->handle >= 0)
            syscall(SYS_pidfd_send_signal, c->handle, SIGKILL, NULL, 0);
        else
            kill(c->number, SIGKILL);
        idtype_t kind = c->handle >= 0 ? (idtype_t)BY_HANDLE : P_PID;
        id_t whom = c->handle >= 0 ? (id_t)c->handle : (id_t)c->number;
        while (waitid(kind, whom, status, WEXITED) != 0 && errno == EINTR) {}
    }
    close_one(&c->lifeline);
    close_one(&c->socket);
    close_one(&c->handle);
    c->number = 0;
}

#endif
