// The start of a process of this program that runs scripts, or that is the zygote.
//
// The zygote has started and waits. Script processes are forked from it, which takes a fraction of
// the time of starting the program again.
//
// The host sends it one word, "fork", with the two descriptors of the new process, and it replies
// with the process's number. It has one thread, holds no lock, and never has a script or a state.
// The new process is a child of the host (CLONE_PARENT), so only the host waits for it, and its
// number is not reused until then.
//
// All processes forked from one zygote have the same addresses. So that a crash does not reveal
// addresses of the next process, the zygote is replaced after a crash.

#define _GNU_SOURCE
#include "client/client.h"

#if defined(__linux__)

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Older headers lack this number, which is the same on all machines.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { GIVEN = 2 };  // descriptors
enum { CANNOT = 4 };  // the exit status of a zygote that cannot fork as required

typedef union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(GIVEN * sizeof(int))];
} rights;

// MARK: In a started or forked process

// Makes the kernel end this process when the other end of the lifeline is closed.
static bool hang_on(int lifeline) {
    char nothing;
    if (fcntl(lifeline, F_SETSIG, SIGKILL) != 0) return false;
    if (fcntl(lifeline, F_SETOWN, getpid()) != 0) return false;
    if (fcntl(lifeline, F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return false;
    // It may have been closed already.
    return read(lifeline, &nothing, 1) < 0 && errno == EAGAIN;
}

// Closes all but the two descriptors.
static void begin(const char *name) {
    if (syscall(SYS_close_range, CHILD_LIFELINE + 1, ~0U, 0) != 0) _exit(CANNOT);
    if (!hang_on(CHILD_LIFELINE)) _exit(CANNOT);
    prctl(PR_SET_NAME, name);
}

static _Noreturn void begin_scripts(void) {
    begin("flow-script");
    lb_serve(CHILD_SOCKET);
}

// MARK: In the zygote

// The place of the thread's number, which changes in a forked process. NULL: unknown.
static pid_t *place_of_thread_number(void) {
    pid_t *place = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &place, 0, 0, 0) != 0 || place == NULL) return NULL;
    return *place == getpid() ? place : NULL;
}

static bool has_one_thread(void) {
    DIR *threads = opendir("/proc/self/task");
    int count = 0;
    if (threads == NULL) return false;
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.') count++;
    closedir(threads);
    return count == 1;
}

// Does what fork does, but makes the child a child of the host. This process has no other threads.
static long fork_for_host(pid_t *place) {
    unsigned long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
#if defined(__x86_64__)
    return syscall(SYS_clone, flags, 0, NULL, place, 0);
#else
    return syscall(SYS_clone, flags, 0, NULL, 0, place);
#endif
}

// False: the connection has ended.
static bool hear(int socket, int given[GIVEN]) {
    char word = 0;
    struct iovec text = {&word, 1};
    rights r = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1,
        .msg_control = r.bytes, .msg_controllen = sizeof r.bytes};
    ssize_t count;
    while ((count = recvmsg(socket, &message, 0)) < 0 && errno == EINTR) {}
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (count != 1 || header == NULL || header->cmsg_type != SCM_RIGHTS
        || header->cmsg_len != CMSG_LEN(GIVEN * sizeof(int)))
        return false;
    memcpy(given, CMSG_DATA(header), GIVEN * sizeof(int));
    return true;
}

static _Noreturn void become_child(const int given[GIVEN]) {
    const int places[GIVEN] = {CHILD_SOCKET, CHILD_LIFELINE};
    for (int i = 0; i < GIVEN; i++)
        if (dup2(given[i], places[i]) < 0) _exit(CANNOT);
    // A process group of its own, like that of a started process.
    if (setpgid(0, 0) != 0) _exit(CANNOT);
    begin_scripts();
}

// Forks whenever the host requests it.
static _Noreturn void begin_zygote(void) {
    const int socket = CHILD_SOCKET;
    begin("flow-zygote");
    pid_t *place = place_of_thread_number();
    int given[GIVEN];
    if (place == NULL || !has_one_thread()) _exit(CANNOT);
    while (hear(socket, given)) {
        int32_t number = (int32_t)fork_for_host(place);
        if (number == 0) become_child(given);
        for (int i = 0; i < GIVEN; i++) close(given[i]);
        if (send(socket, &number, sizeof number, MSG_NOSIGNAL) != sizeof number) break;
    }
    _exit(0);
}

__attribute__((constructor)) static void serve_if_asked(void) {
    const char *marker = getenv(CHILD_MARKER);
    if (marker == NULL || marker[0] == 0 || marker[1] != 0) return;
    if (marker[0] != CHILD_SCRIPTS && marker[0] != CHILD_ZYGOTE) return;
    int domain = 0;
    socklen_t length = sizeof domain;
    bool is_ours = getsockopt(CHILD_SOCKET, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0
        && domain == AF_UNIX;
    if (!is_ours) return;
    if (marker[0] == CHILD_ZYGOTE) begin_zygote();
    begin_scripts();
}

// MARK: In the host

enum { PATIENCE = 20000 };  // milliseconds

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_wanted;
static child zygote = {0, -1, -1, -1, 0};
static uint32_t last_number;
static bool is_impossible;  // forking is not possible here

void lb_zygote_use(void) {
    pthread_mutex_lock(&mutex);
    is_wanted = true;
    pthread_mutex_unlock(&mutex);
}

static bool say(int socket, int first, int second) {
    char word = 'f';
    const int given[GIVEN] = {first, second};
    struct iovec text = {&word, 1};
    rights r = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1,
        .msg_control = r.bytes, .msg_controllen = sizeof r.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof given);
    memcpy(CMSG_DATA(header), given, sizeof given);
    ssize_t count;
    while ((count = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
    return count == 1;
}

// The number of the new process; 0: no reply.
static int32_t forked(int socket, int lifeline) {
    int32_t number = 0;
    struct pollfd polled = {.fd = zygote.socket, .events = POLLIN};
    int count;
    if (!say(zygote.socket, socket, lifeline)) return 0;
    while ((count = poll(&polled, 1, PATIENCE)) < 0 && errno == EINTR) {}
    if (count <= 0 || recv(zygote.socket, &number, sizeof number, 0) != sizeof number) return 0;
    return number;
}

static bool start_zygote(void) {
    if (zygote.number > 0) return true;
    if (lb_child_start(&zygote, CHILD_ZYGOTE, NULL) != NULL) return false;
    if (++last_number == 0) last_number = 1;
    return true;
}

static bool fork_from_zygote(child *c, int socket, int lifeline) {
    int32_t number = 0;
    pthread_mutex_lock(&mutex);
    // A zygote that has died meanwhile is replaced.
    for (int i = 0; i < 2 && number == 0 && is_wanted && !is_impossible; i++) {
        siginfo_t status;
        if (!start_zygote()) break;
        number = forked(socket, lifeline);
        if (number != 0) break;
        lb_child_end(&zygote, &status);
        is_impossible = status.si_code == CLD_EXITED && status.si_status == CANNOT;
    }
    if (number > 0) {
        c->number = number;
        c->zygote = last_number;
    }
    pthread_mutex_unlock(&mutex);
    return number > 0;
}

const char *lb_scripts_start(child *c) {
    return lb_child_start(c, CHILD_SCRIPTS, fork_from_zygote);
}

static void retire(uint32_t number) {
    pthread_mutex_lock(&mutex);
    if (number == last_number) lb_child_end(&zygote, NULL);
    pthread_mutex_unlock(&mutex);
}

void lb_scripts_end(child *c, siginfo_t *status) {
    uint32_t number = c->zygote;
    lb_child_end(c, status);
    bool was_killed = status->si_code != CLD_EXITED && status->si_status == SIGKILL;
    if (number != 0 && status->si_signo == SIGCHLD && !was_killed) retire(number);
}

#endif
