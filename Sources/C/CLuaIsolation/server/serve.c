// The script process: it has one state, executes the host's requests, and ends with the host.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

static void open_state(wire *r) {
    lb_configuration configuration;
    const void *bytes = lb_wire_get(r, sizeof configuration);
    if (bytes == NULL) _exit(3);
    memcpy(&configuration, bytes, sizeof configuration);
    lb_server.frame_limit = lb_frame_limit_of(&configuration);
    // Lua's memory, at most twice its limit, and the buffers for the host.
    size_t memory = 256 << 20, more;
    if (__builtin_mul_overflow(lb_server.frame_limit, 4, &more)
        || __builtin_add_overflow(memory, more, &memory)
        || __builtin_mul_overflow(configuration.memory_limit, 2, &more)
        || __builtin_add_overflow(memory, more, &memory))
        memory = SIZE_MAX;
    (void)workflow_stack_room();  // reads a file the first time
    const char *problem = lb_wall_raise(lb_server.connection, memory);
    lb_status status =
        problem == NULL ? lb_sandbox_open(&configuration, &lb_server.state) : LB_NO_ISOLATION;
    if (status != LB_OK) {
        wire w = lb_frame_begin(&lb_server.out, TELL_REPLY);
        wire_put_u32(&w, (uint32_t)status);
        wire_put_text(&w, problem, problem == NULL ? 0 : strlen(problem));
        lb_frame_end(&w);
        lb_send_out();
        _exit(0);
    }
    lb_server.interruption = lb_interrupt_retain(lb_server.state->limits.interrupt);
}

// The host wants the call to end, and repeats the signal until it has ended.
static void on_interrupt(int number) {
    (void)number;
    int before = errno;
    if (lb_server.interruption != NULL) lb_interrupt_stop(lb_server.interruption);
    errno = before;
}

static void take_signals(void) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    // The Swift runtime's crash handler needs more than a process behind the wall has.
    const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (int i = 0; i < COUNT_OF(crashes); i++) signal(crashes[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void lb_serve(int socket) {
    lb_server.connection = socket;
#if defined(M_ARENA_MAX)
    // With a single arena, malloc only asks the kernel for memory.
    mallopt(M_ARENA_MAX, 1);
#endif
    take_signals();
    wire_request request;
    wire r = lb_next_frame(&lb_server.bottom, &request);
    if (request != ASK_OPEN) _exit(3);
    open_state(&r);
    lb_callbacks_open(lb_server.state);
    lb_server_reply(LB_OK);
    (void)lb_serve_level(&lb_server.bottom);
    _exit(3);
}

#endif
