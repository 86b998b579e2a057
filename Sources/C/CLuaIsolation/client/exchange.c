// Sends requests to the script process and waits for its replies, for as long as the limits allow
// plus a grace period. Its messages are not trusted: one that is invalid or not asked for ends it.

#define _GNU_SOURCE
#include "client/client.h"

#if defined(__linux__)

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SECOND = 1000000000 };
enum { REMINDER = 20000000 };  // nanoseconds between two signals of an interrupt

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

bool lb_client_lose(lb_state *b, const char *reason) {
    remote *r = b->remote;
    siginfo_t status;
    if (r->gone) return false;
    r->gone = true;
    b->limits.memory_in_use = 0;
    // A process that has closed its socket has its status already.
    lb_scripts_end(&r->child, &status);
    if (reason != NULL)
        snprintf(r->reason, sizeof r->reason, "%s", reason);
    else if (status.si_signo != SIGCHLD)
        snprintf(r->reason, sizeof r->reason, "nothing is known of its end");
    else if (status.si_code == CLD_EXITED)
        snprintf(r->reason, sizeof r->reason, "it ended with status %d", status.si_status);
    else
        snprintf(
            r->reason, sizeof r->reason, "signal %d%s", status.si_status,
            signal_name(status.si_status));
    return false;
}

bool lb_client_break(lb_state *b, const char *what) {
    char reason[120];
    snprintf(reason, sizeof reason, "it broke the protocol: %s", what);
    return lb_client_lose(b, reason);
}

void lb_client_look(lb_state *b) {
    char unasked;
    if (b->remote->gone) return;
    ssize_t count = has_read_ahead(&b->remote->ahead)
        ? 1
        : recv(b->remote->child.socket, &unasked, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) lb_client_break(b, "it speaks without being asked");
    if (count == 0 || (count < 0 && errno == ECONNRESET)) lb_client_lose(b, NULL);
}

// MARK: The clock
//
// It runs from the first wait of the outermost request to its reply. Each message looks at it, and
// so does each wait for something to receive or for room to send.
//
// It stands while the host's own code runs (a host function, a confirmation, a print), so that a
// process is not blamed for a slow host. But that time is the script's as well: it counts where
// scripts run in this process, and a process that keeps to its limits counts it itself. So once its
// time and the host's together exceed the limit, it may only reply.

#define FOREVER UINT64_MAX

// More than ten minutes of nothing but calls: an exchange takes several microseconds.
enum { MOST_CALLS = 1 << 27 };

static uint64_t grace(const lb_state *b) {
    return b->core.configuration.grace == 0 ? SECOND : b->core.configuration.grace;
}

// Nanoseconds for work without a time limit: the compiler, and transferring values.
static uint64_t longest(const lb_state *b, wire_request request) {
    enum { CONVERSION = 5, START = 20 };
    uint64_t limit = b->core.configuration.time_limit;
    switch (request) {
        case ASK_OPEN: return (uint64_t)START * SECOND;
        case ASK_load:
        case ASK_encode:
        case ASK_make_reference:
        case ASK_make_view:
        case ASK_collect_garbage:
        case ASK_trace_follow: return (uint64_t)CONVERSION * SECOND;
        case ASK_CALL:
        case ASK_CALL_CHANGING: return limit == 0 ? FOREVER : lb_watch_patient(b, limit);
        default: return limit == 0 ? (uint64_t)CONVERSION * SECOND : limit;
    }
}

// The time since the clock was last started or stopped; this starts the next such span.
static uint64_t turn_clock(remote *r) {
    uint64_t time = lb_watch_now(), span = r->since == 0 ? 0 : time - r->since;
    r->since = time;
    return span;
}

// Called while it runs, or to stop it.
static uint64_t time_spent(remote *r) {
    r->spent += turn_clock(r);
    return r->spent;
}

static void begin_outermost(lb_state *b, wire_request request) {
    remote *r = b->remote;
    const lb_configuration *c = &b->core.configuration;
    // A table's fields are one request, in however many messages.
    if (request == ASK_MORE_FIELDS) {
        r->since = 0;
        return;
    }
    if (__builtin_add_overflow(longest(b, request), grace(b), &r->patience)) r->patience = FOREVER;
    r->spent = r->hosted = r->since = 0;
    r->is_interrupted = false;
    r->calls_left = lb_watch_patient(b, c->call_limit == 0 ? MOST_CALLS : c->call_limit);
    r->print_left = c->print_limit;
}

static bool lose_late(lb_state *b) {
    remote *r = b->remote;
    char reason[120];
    if (r->is_interrupted)
        snprintf(reason, sizeof reason, "it did not end a call that was interrupted");
    else
        snprintf(
            reason, sizeof reason, "it did not come back within %.1f seconds",
            (double)r->patience / SECOND);
    return lb_client_lose(b, reason);
}

// Forwards an interrupt. From then on, the process only has the grace period left.
static void look_for_interrupt(lb_state *b) {
    remote *r = b->remote;
    if (!lb_interrupt_is_due(b->limits.interrupt)) return;
    if (!r->is_interrupted) {
        uint64_t end = time_spent(r) + grace(b);
        r->is_interrupted = true;
        r->hosted = 0;
        if (r->patience > end) r->patience = end;
    }
    lb_child_interrupt(&r->child);
}

// The time that is left; 0: none, and the process was ended.
static uint64_t look_at_clock(lb_state *b) {
    remote *r = b->remote;
    look_for_interrupt(b);
    if (r->patience == FOREVER) return FOREVER;
    uint64_t spent = time_spent(r);
    if (spent < r->patience) return r->patience - spent;
    lose_late(b);
    return 0;
}

// Called before the host's own code runs for the process. False: too late, and it was ended.
static bool lend_host(lb_state *b) {
    remote *r = b->remote;
    return time_spent(r) + r->hosted < r->patience || lose_late(b);
}

static void take_back_host(lb_state *b) { b->remote->hosted += turn_clock(b->remote); }

static bool count_call(lb_state *b) {
    return b->remote->calls_left-- > 0
        || lb_client_lose(b, "it called the host more often than a call may");
}

// MARK: Waiting

// Waits until the socket is ready. False: the process has ended.
static bool await(lb_state *b, short events) {
    remote *r = b->remote;
    struct pollfd polled[2] = {
        {.fd = r->child.socket, .events = events},
        {.fd = lb_interrupt_descriptor(b->limits.interrupt), .events = POLLIN}};
    for (;;) {
        uint64_t slice = look_at_clock(b);
        if (slice == 0) return false;
        if (r->is_interrupted && slice > REMINDER) slice = REMINDER;
        // Rounded up, so that the rest of the time is not spent in a busy loop.
        int wait = slice > (uint64_t)3600 * SECOND ? 3600000 : (int)(slice / 1000000) + 1;
        // It looks once more when the time is over, so a late host does not miss a message.
        int count = poll(polled, 2, wait);
        if (count < 0 && errno != EINTR) return lb_client_lose(b, "waiting for it failed");
        if (count > 0 && polled[1].revents != 0) {
            uint64_t calls;
            while (read(polled[1].fd, &calls, sizeof calls) < 0 && errno == EINTR) {}
        }
        if (count > 0 && polled[0].revents != 0) return true;
    }
}

static bool send_all(lb_state *b, const unsigned char *from, size_t length) {
    remote *r = b->remote;
    for (;;) {
        ssize_t count = send(r->child.socket, from, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            from += count;
            length -= (size_t)count;
        } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
            return lb_client_lose(b, NULL);
        }
        if (length == 0) return true;
        if (!await(b, POLLOUT)) return false;
    }
}

static bool receive_all(lb_state *b, unsigned char *to, size_t length) {
    remote *r = b->remote;
    while (length > 0) {
        if (!has_read_ahead(&r->ahead) && !await(b, POLLIN)) return false;
        ssize_t count = lb_receive(r->child.socket, &r->ahead, to, length, MSG_DONTWAIT);
        if (count > 0) {
            to += count;
            length -= (size_t)count;
        } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return lb_client_lose(b, NULL);
        }
    }
    return true;
}

// The process must be silent before it is spoken to: what it has said by then is not an answer to
// what comes. False: it was ended. If it has ended by itself, sending fails.
static bool is_silent(lb_state *b) {
    int unread = 0;
    if (!has_read_ahead(&b->remote->ahead)
        && (ioctl(b->remote->child.socket, FIONREAD, &unread) != 0 || unread == 0))
        return true;
    return lb_client_break(b, "it speaks without being asked");
}

static bool say(lb_state *b, wire *w) {
    lb_frame_end(w);
    look_for_interrupt(b);
    if (!send_all(b, w->to->bytes, w->to->length)) return false;
    b->remote->notes.length = 0;
    return true;
}

// Reads a frame, whose first byte is its kind. Memory grows with what arrives, not as announced.
static bool receive_frame(lb_state *b, buffer *in) {
    enum { STEP = 1 << 20 };
    remote *r = b->remote;
    unsigned char header[FRAME_HEADER];
    uint32_t length;
    // Where nothing was read ahead, waiting looks at the clock.
    if (has_read_ahead(&r->ahead) && look_at_clock(b) == 0) return false;
    if (!receive_all(b, header, sizeof header)) return false;
    memcpy(&length, header, 4);
    if (length == 0 || length > r->frame_limit)
        return lb_client_break(b, "a message has an impossible length");
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
    return fine || lb_client_lose(b, "there is not enough memory for what it says");
}

// MARK: Messages

static bool take_print(lb_state *b, wire *r) {
    remote *remote = b->remote;
    lb_location location;
    lb_text text = lb_wire_get_text(r);
    lb_wire_location(r, &location);
    if (r->failed || r->at != r->end || text.length + 1 > remote->print_left)
        return lb_client_break(b, "it prints more than it may");
    remote->print_left -= text.length + 1;
    if (!lend_host(b)) return false;
    if (b->core.print != NULL) b->core.print(b->core.owner, text.bytes, text.length, location);
    take_back_host(b);
    return !remote->gone;
}

static bool answer(lb_state *b, wire *w) {
    if (w->failed) return lb_client_lose(b, "there is not enough memory for an answer");
    return is_silent(b) && say(b, w);
}

static bool take_confirm(lb_state *b, wire *r) {
    int64_t token = (int64_t)lb_wire_get_u64(r);
    if (r->failed || r->at != r->end)
        return lb_client_break(b, "it asks for a confirmation of nothing");
    if (!count_call(b) || !lend_host(b)) return false;
    bool agrees = b->core.confirm != NULL && b->core.confirm(b->core.owner, token);
    take_back_host(b);
    if (b->remote->gone) return false;
    wire w = lb_client_begin(b, ASK_ANSWER);
    wire_put_u8(&w, agrees);
    return answer(b, &w);
}

// Also takes a moment.
static bool take_call(lb_state *b, wire *r, remote_level *level, client_callback *run) {
    wire w;
    if (!count_call(b) || !lend_host(b)) return false;
    bool runs = run(b, r, level, &w);
    take_back_host(b);
    return runs && answer(b, &w);
}

static bool take_hits(lb_state *b, wire *r) {
    const trace_state *t = &b->trace;
    bool fine = r->at < r->end;
    while (fine && r->at < r->end) {
        uint32_t index = lb_wire_get_u32(r);
        uint64_t hits = lb_wire_get_u64(r);
        fine = !r->failed && index < t->line_count && hits > t->lines[index].hits
            && hits <= INT64_MAX;
        if (fine) t->lines[index].hits = hits;
    }
    return fine ? count_call(b) : lb_client_break(b, "it counts what it was not asked to count");
}

static bool take_reply_header(
    lb_state *b, wire_request request, wire *r, lb_status *status) {
    remote *remote = b->remote;
    uint32_t code = lb_wire_get_u32(r);
    // Without a state, the reply only contains the reason.
    if (request == ASK_OPEN && code != LB_OK && code <= LB_NO_ISOLATION) {
        *status = (lb_status)code;
        return !r->failed;
    }
    if (code > LB_ABSENT) r->failed = true;
    *status = (lb_status)code;
    b->limits.memory_in_use = lb_wire_get_u64(r);
    b->limits.memory_peak = lb_wire_get_u64(r);
    const void *random = lb_wire_get(r, sizeof b->sandbox.random);
    // Only the result of a complete outermost request is kept.
    if (random != NULL && remote->nesting == 1)
        memcpy(b->sandbox.random, random, sizeof b->sandbox.random);
    for (uint32_t dead = lb_wire_get_u32(r); dead > 0 && !r->failed; dead--)
        if (!lb_functions_end(remote, (int32_t)lb_wire_get_u32(r))) r->failed = true;
    if (*status != LB_OK && *status != LB_ABSENT && !r->failed) lb_wire_failure(r, b);
    return !r->failed || lb_client_break(b, "a reply is none");
}

// MARK: Requests

wire lb_client_begin(lb_state *b, wire_request request) {
    remote *r = b->remote;
    wire w = lb_frame_begin(&r->out, request);
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
                if (calls && !take_call(b, r, level, remote->run)) return LB_GONE;
                break;
            case TELL_HITS:
                if (calls && !take_hits(b, r)) return LB_GONE;
                break;
            case TELL_MOMENT:
                calls = calls && b->trace.callback != NULL;
                if (calls && !take_call(b, r, level, remote->tell)) return LB_GONE;
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
            lb_client_break(b, "a message comes that does not belong there");
            return LB_GONE;
        }
    }
}

lb_status lb_client_ask(lb_state *b, wire *w, wire_request request, wire *r) {
    remote *remote = b->remote;
    *r = wire_reader(NULL, 0);
    if (remote->gone) return LB_GONE;
    if (w->failed) return LB_MEMORY;
    if (w->is_absent) return LB_ABSENT;
    b->core.error_is_captured = false;
    error_begin(b);
    b->values.issue.kind = LB_ISSUE_NONE;
    bool outermost = remote->nesting++ == 0;
    if (outermost) {
        bool stops = request == ASK_CALL || request == ASK_CALL_CHANGING || request == ASK_encode;
        begin_outermost(b, request);
        if (stops) lb_interrupt_begin(b->limits.interrupt, NULL, 0, remote->patience);
    } else {
        take_back_host(b);
    }
    // A process that has just started has nothing else to answer.
    bool said = (request == ASK_OPEN || is_silent(b)) && say(b, w);
    lb_status status = said ? converse(b, request, r) : LB_GONE;
    bool may_go_on = request == ASK_FIELDS || request == ASK_MORE_FIELDS;
    if (!outermost || may_go_on) (void)time_spent(remote);
    remote->nesting--;
    if (outermost) lb_interrupt_end(b->limits.interrupt);
    return status;
}

lb_status lb_client_finish(lb_state *b, const wire *r) {
    if (!r->failed && r->at == r->end) return LB_OK;
    lb_client_break(b, "a reply is not what was asked for");
    return LB_GONE;
}

#endif
