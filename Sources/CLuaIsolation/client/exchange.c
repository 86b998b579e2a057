// Sends requests to the script process and waits for its replies, for as long as the limits allow plus a grace period.
// Its messages are not trusted: an invalid one ends the process.

#define _GNU_SOURCE
#include "client/client.h"

#if defined(__linux__)

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };
enum { REMINDER = 20000000 };  // nanoseconds between two signals of an interrupt

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

// MARK: The end of the process

static const char *signal_name(int number) {
    switch (number) {
        case SIGSEGV: return " (segmentation fault)";
        case SIGBUS: return " (bus error)";
        case SIGILL: return " (illegal instruction)";
        case SIGFPE: return " (arithmetic error)";
        case SIGABRT: return " (aborted)";
        case SIGKILL: return " (killed)";
        case SIGTERM: return " (terminated)";
        case SIGSYS: return " (a call of the system that it may not make)";
        default: return "";
    }
}

void client_lose(lb_state *b, const char *reason) {
    remote *r = b->remote;
    siginfo_t status;
    if (r->gone) return;
    r->gone = true;
    b->limits.memory_in_use = 0;
    // A process that has closed its socket has its status already.
    scripts_end(&r->child, &status);
    if (reason != NULL)
        snprintf(r->reason, sizeof r->reason, "%s", reason);
    else if (status.si_signo != SIGCHLD)
        snprintf(r->reason, sizeof r->reason, "nothing is known of its end");
    else if (status.si_code == CLD_EXITED)
        snprintf(r->reason, sizeof r->reason, "it ended with status %d", status.si_status);
    else
        snprintf(
            r->reason, sizeof r->reason, "signal %d%s", status.si_status, signal_name(status.si_status));
}

void client_break(lb_state *b, const char *what) {
    char reason[120];
    snprintf(reason, sizeof reason, "it broke the protocol: %s", what);
    client_lose(b, reason);
}

static void lose_late(lb_state *b) {
    remote *r = b->remote;
    char reason[120];
    if (r->is_interrupted)
        snprintf(reason, sizeof reason, "it did not end a call that was interrupted");
    else
        snprintf(
            reason, sizeof reason, "it did not come back within %.1f seconds",
            (double)r->patience / SECOND);
    client_lose(b, reason);
}

void client_look(lb_state *b) {
    char unasked;
    if (b->remote->gone) return;
    bool has_more = b->remote->ahead.end > b->remote->ahead.start;
    ssize_t count =
        has_more ? 1 : recv(b->remote->child.socket, &unasked, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) client_break(b, "it speaks without being asked");
    if (count == 0 || (count < 0 && errno == ECONNRESET)) client_lose(b, NULL);
}

// MARK: Waiting

static uint64_t grace(const lb_state *b) {
    return b->core.configuration.grace == 0 ? SECOND : b->core.configuration.grace;
}

// Seconds for work without a time limit: the compiler, and transferring values.
static uint64_t longest(const lb_state *b, wire_request request) {
    enum { CONVERSION = 5, START = 20 };
    uint64_t limit = b->core.configuration.time_limit;
    switch (request) {
        case ASK_OPEN: return (uint64_t)START * SECOND;
        case ASK_load:
        case ASK_encode:
        case ASK_make_reference:
        case ASK_make_view:
        case ASK_collect_garbage: return (uint64_t)CONVERSION * SECOND;
        default: return limit == 0 ? (uint64_t)CONVERSION * SECOND : limit;
    }
}

// The time starts again for each outermost request.
static void begin_waiting(lb_state *b, wire_request request) {
    remote *r = b->remote;
    bool calls = request == ASK_CALL || request == ASK_CALL_CHANGING;
    uint64_t limit = longest(b, request);
    r->is_interrupted = false;
    r->has_patience = !calls || b->core.configuration.time_limit != 0;
    if (__builtin_add_overflow(limit, grace(b), &r->patience)) r->has_patience = false;
    r->left = r->patience;
}

// Forwards an interrupt.
static void look_for_interrupt(lb_state *b) {
    remote *r = b->remote;
    if (!interrupt_is_due(b->limits.interrupt)) return;
    if (!r->is_interrupted) {
        r->is_interrupted = true;
        if (!r->has_patience || r->left > grace(b)) r->left = grace(b);
        r->has_patience = true;
    }
    child_interrupt(&r->child);
}

// Waits until the socket is ready. False: the process has ended.
static bool await(lb_state *b, short events) {
    remote *r = b->remote;
    struct pollfd polled[2] = {
        {.fd = r->child.socket, .events = events},
        {.fd = interrupt_descriptor(b->limits.interrupt), .events = POLLIN}};
    uint64_t start = now();
    for (;;) {
        uint64_t slice = r->has_patience ? r->left : UINT64_MAX;
        if (r->is_interrupted && slice > REMINDER) slice = REMINDER;
        // Rounded up, so that the rest of the time is not spent in a busy loop.
        int wait = slice > (uint64_t)3600 * SECOND ? 3600000 : (int)(slice / 1000000) + 1;
        int count = poll(polled, 2, wait);
        uint64_t end = now(), spent = end - start;
        start = end;
        r->left = r->left > spent ? r->left - spent : 0;
        if (count < 0 && errno != EINTR) {
            client_lose(b, "waiting for it failed");
            return false;
        }
        if (count > 0 && polled[1].revents != 0) {
            uint64_t calls;
            while (read(polled[1].fd, &calls, sizeof calls) < 0 && errno == EINTR) {}
            look_for_interrupt(b);
        } else if (r->is_interrupted) {
            child_interrupt(&r->child);
        }
        if (count > 0 && polled[0].revents != 0) return true;
        if (r->has_patience && r->left == 0) {
            // This process may have been late itself.
            if (poll(polled, 1, 0) > 0) return true;
            lose_late(b);
            return false;
        }
    }
}

static bool send_all(lb_state *b, const unsigned char *from, size_t length) {
    remote *r = b->remote;
    while (length > 0) {
        ssize_t count = send(r->child.socket, from, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            from += count;
            length -= (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!await(b, POLLOUT)) return false;
        } else if (errno != EINTR) {
            client_lose(b, NULL);
            return false;
        }
    }
    return true;
}

static bool receive_all(lb_state *b, unsigned char *to, size_t length) {
    remote *r = b->remote;
    while (length > 0) {
        ssize_t count = receive(r->child.socket, &r->ahead, to, length, MSG_DONTWAIT);
        if (count > 0) {
            to += count;
            length -= (size_t)count;
        } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!await(b, POLLIN)) return false;
        } else if (count == 0 || errno != EINTR) {
            client_lose(b, NULL);
            return false;
        }
    }
    return true;
}

// Reads a frame; its kind is the first byte. Memory grows with the bytes that arrive, not with the announced length.
static bool receive_frame(lb_state *b, buffer *in) {
    enum { STEP = 1 << 20 };
    remote *r = b->remote;
    unsigned char header[FRAME_HEADER];
    uint32_t length;
    if (!receive_all(b, header, sizeof header)) return false;
    memcpy(&length, header, 4);
    if (length == 0 || length > r->frame_limit) {
        client_break(b, "a message has an impossible length");
        return false;
    }
    buffer_trim(in);
    size_t left = length - 1;
    bool fine = buffer_reserve(in, 1);
    if (fine) in->bytes[in->length++] = header[4];
    while (fine && left > 0) {
        size_t step = left < STEP ? left : STEP;
        fine = buffer_reserve(in, step);
        if (!fine) break;
        if (!receive_all(b, in->bytes + in->length, step)) return false;
        in->length += step;
        left -= step;
    }
    if (!fine) client_lose(b, "there is not enough memory for what it says");
    return fine;
}

// MARK: Messages

static bool take_print(lb_state *b, wire *r) {
    remote *remote = b->remote;
    lb_location location;
    lb_text text = wire_get_text(r);
    wire_location(r, &location);
    if (r->failed || text.length + 1 > remote->print_left) {
        client_break(b, "it prints more than it may");
        return false;
    }
    remote->print_left -= text.length + 1;
    if (b->core.print != NULL) b->core.print(b->core.owner, text.bytes, text.length, location);
    return !remote->gone;
}

static bool answer(lb_state *b, wire *w) {
    if (w->failed) {
        client_lose(b, "there is not enough memory for an answer");
        return false;
    }
    frame_end(w);
    look_for_interrupt(b);
    bool sent = send_all(b, w->to->bytes, w->to->length);
    if (sent) b->remote->notes.length = 0;
    return sent;
}

static bool take_confirm(lb_state *b, wire *r) {
    int64_t token = (int64_t)wire_get_u64(r);
    bool agrees = !r->failed && b->core.confirm != NULL && b->core.confirm(b->core.owner, token);
    if (b->remote->gone) return false;
    wire w = client_begin(b, ASK_ANSWER);
    wire_put_u8(&w, agrees);
    return answer(b, &w);
}

static bool take_call(lb_state *b, wire *r, remote_level *level) {
    wire w;
    if (!b->remote->run(b, r, level, &w)) return false;
    return answer(b, &w);
}

static bool take_reply_header(
    lb_state *b, wire_request request, wire *r, lb_status *status) {
    remote *remote = b->remote;
    uint32_t code = wire_get_u32(r);
    // Without a state, the reply only contains the reason.
    if (request == ASK_OPEN && code != LB_OK && code <= LB_NO_ISOLATION) {
        *status = (lb_status)code;
        return !r->failed;
    }
    if (code > LB_ABSENT) r->failed = true;
    *status = (lb_status)code;
    b->limits.memory_in_use = wire_get_u64(r);
    b->limits.memory_peak = wire_get_u64(r);
    const void *random = wire_get(r, sizeof b->sandbox.random);
    // Only the result of a complete outermost request is kept.
    if (random != NULL && remote->nesting == 1) memcpy(b->sandbox.random, random, sizeof b->sandbox.random);
    for (uint32_t dead = wire_get_u32(r); dead > 0 && !r->failed; dead--)
        if (!functions_end(remote, (int32_t)wire_get_u32(r))) r->failed = true;
    if (*status != LB_OK && *status != LB_ABSENT && !r->failed) wire_failure(r, b);
    if (r->failed) client_break(b, "a reply is none");
    return !r->failed;
}

// MARK: Requests

wire client_begin(lb_state *b, wire_request request) {
    remote *r = b->remote;
    wire w = frame_begin(&r->out, request);
    wire_put_text(&w, r->notes.bytes, r->notes.length);
    return w;
}

static lb_status converse(lb_state *b, wire_request request, wire *r) {
    remote *remote = b->remote;
    bool calls = request == ASK_CALL || request == ASK_CALL_CHANGING;
    lb_status status = LB_OK;
    for (;;) {
        remote_level *level = remote->innermost;
        if (!receive_frame(b, &level->in)) return LB_GONE;
        *r = wire_reader(level->in.bytes + 1, level->in.length - 1);
        switch ((wire_message)level->in.bytes[0]) {
            case TELL_REPLY: return take_reply_header(b, request, r, &status) ? status : LB_GONE;
            case TELL_CALL:
                if (calls && !take_call(b, r, level)) return LB_GONE;
                break;
            case TELL_CONFIRM:
                if (calls && !take_confirm(b, r)) return LB_GONE;
                break;
            case TELL_PRINT:
                if (calls && !take_print(b, r)) return LB_GONE;
                break;
            default: calls = false; break;
        }
        if (!calls) {
            client_break(b, "a message comes that does not belong there");
            return LB_GONE;
        }
    }
}

lb_status client_ask(lb_state *b, wire *w, wire_request request, wire *r) {
    remote *remote = b->remote;
    *r = wire_reader(NULL, 0);
    if (remote->gone) return LB_GONE;
    if (w->failed) return LB_MEMORY;
    if (w->is_absent) return LB_ABSENT;
    frame_end(w);
    b->core.error_is_captured = false;
    error_begin(b);
    b->values.issue.kind = LB_ISSUE_NONE;
    bool outermost = remote->nesting++ == 0;
    if (outermost) {
        bool stops = request == ASK_CALL || request == ASK_CALL_CHANGING || request == ASK_encode;
        begin_waiting(b, request);
        uint64_t limit = remote->has_patience ? remote->patience : UINT64_MAX;
        if (stops) interrupt_begin(b->limits.interrupt, NULL, 0, limit);
        remote->print_left = b->core.configuration.print_limit;
    }
    lb_status status = LB_GONE;
    if (send_all(b, w->to->bytes, w->to->length)) {
        remote->notes.length = 0;
        status = converse(b, request, r);
    }
    remote->nesting--;
    if (outermost) interrupt_end(b->limits.interrupt);
    return status;
}

lb_status client_finish(lb_state *b, const wire *r) {
    if (!r->failed && r->at == r->end) return LB_OK;
    client_break(b, "a reply is not what was asked for");
    return LB_GONE;
}

#endif
