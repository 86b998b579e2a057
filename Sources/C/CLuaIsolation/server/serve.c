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
    const void *bytes = wire_get(r, sizeof configuration);
    if (bytes == NULL) _exit(3);
    memcpy(&configuration, bytes, sizeof configuration);
    server.frame_limit = frame_limit_of(&configuration);
    // Lua's memory, at most twice its limit, and the buffers for the host.
    size_t memory = 256 << 20, more;
    if (__builtin_mul_overflow(server.frame_limit, 4, &more)
        || __builtin_add_overflow(memory, more, &memory)
        || __builtin_mul_overflow(configuration.memory_limit, 2, &more)
        || __builtin_add_overflow(memory, more, &memory))
        memory = SIZE_MAX;
    (void)workflow_stack_room();  // reads a file the first time
    const char *problem = wall_raise(server.connection, memory);
    lb_status status =
        problem == NULL ? sandbox_open(&configuration, &server.state) : LB_NO_ISOLATION;
    if (status != LB_OK) {
        wire w = frame_begin(&server.out, TELL_REPLY);
        wire_put_u32(&w, (uint32_t)status);
        wire_put_text(&w, problem, problem == NULL ? 0 : strlen(problem));
        frame_end(&w);
        send_out();
        _exit(0);
    }
    server.interruption = interrupt_retain(server.state->limits.interrupt);
}

// The host wants the call to end, and repeats the signal until it has ended.
static void on_interrupt(int number) {
    (void)number;
    int before = errno;
    if (server.interruption != NULL) interrupt_call(server.interruption);
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

void serve(int socket) {
    server.connection = socket;
#if defined(M_ARENA_MAX)
    // With a single arena, malloc only asks the kernel for memory.
    mallopt(M_ARENA_MAX, 1);
#endif
    take_signals();
    wire_request request;
    wire r = next_frame(&server.bottom, &request);
    if (request != ASK_OPEN) _exit(3);
    open_state(&r);
    callbacks_open(server.state);
    reply(LB_OK);
    (void)serve_level(&server.bottom);
    _exit(3);
}

#endif
