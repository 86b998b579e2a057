// A script process that was taken over. It knows the protocol, and breaks it as its plan says.

#define _GNU_SOURCE
#include "CPeer.h"
#include "client/client.h"

#if defined(__linux__)

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/sockios.h>
#include <unistd.h>

enum { DEEPEST = 4096 };

typedef struct {
    wire_request request;
    uint32_t wants;
} pending_call;

struct peer {
    peer_plan plan;
    int socket;
    pthread_t thread;
    atomic_bool is_done;
    uint64_t random;
    size_t taken;    // of the plan's orders
    size_t told;     // of the plan's own messages
    uint32_t heard;  // messages of the host

    buffer in, out;
    pending_call now, calls[DEEPEST];  // the request to reply to, and the calls without a reply
    int depth;
    uint32_t function;  // the number of the last host function
    uint64_t hits;      // of the chosen line
};

// MARK: Choices

static uint64_t random_number(peer *p) {
    p->random += 0x9e3779b97f4a7c15;
    uint64_t z = p->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint8_t order(peer *p) {
    return p->taken < p->plan.count ? p->plan.orders[p->taken++] : 0;
}

static uint64_t number(peer *p) { return p->plan.orders != NULL ? order(p) : random_number(p); }

typedef struct {
    peer_habit habit;
    peer_message message;
} choice;

// Without orders left, it is fair.
static choice choose_by_orders(peer *p) {
    static const peer_habit habits[] = {
        PEER_FLOOD, PEER_TWICE, PEER_TWICE_APART, PEER_DRIP, PEER_HALF_END, PEER_LENGTH, PEER_SHORT,
        PEER_LONG, PEER_END, PEER_WRONG, PEER_WRONG, PEER_WRONG, PEER_WRONG};
    // Only calls have a limit that is short enough for these.
    static const peer_habit slow[] = {PEER_HALF, PEER_SILENT, PEER_TRICKLE};
    static const uint32_t lengths[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff};
    uint8_t first = order(p);
    choice c = {PEER_WHOLE, PEER_REPLY};
    p->plan.length = lengths[first % COUNT_OF(lengths)];
    p->plan.endless = first % 7 == 1;
    p->plan.refers = first % 3 == 1;
    p->plan.unchosen = first % 5 > 1;
    p->plan.fields = first % 65;
    p->plan.chunk = first % 5 == 1 ? 100000 : 3;
    if (p->depth > 0 && first >= 100) c.message = (peer_message)(first % 6);
    if (first >= 200) c.habit = habits[order(p) % COUNT_OF(habits)];
    if (p->depth > 0 && first >= 250) c.habit = slow[first % COUNT_OF(slow)];
    if (first == 255) c.message = (peer_message)(order(p) % 7);
    return c;
}

static choice choose(peer *p) {
    if (p->plan.orders != NULL) return choose_by_orders(p);
    if (p->heard <= p->plan.fair) return (choice){PEER_WHOLE, PEER_REPLY};
    return (choice){p->plan.habit, p->plan.message};
}

// MARK: The socket

static bool put(peer *p, const void *bytes, size_t length) {
    const unsigned char *from = bytes;
    while (length > 0) {
        ssize_t count = send(p->socket, from, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        from += count;
        length -= (size_t)count;
    }
    return true;
}

static bool take(peer *p, void *to, size_t length) {
    unsigned char *at = to;
    while (length > 0) {
        ssize_t count = recv(p->socket, at, length, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += count;
        length -= (size_t)count;
    }
    return true;
}

// Waits until the host has left, or so many milliseconds; -1: for ever. True: it is still there.
static bool linger(const peer *p, int milliseconds) {
    struct pollfd polled = {.fd = p->socket, .events = 0};
    int count;
    while ((count = poll(&polled, 1, milliseconds)) < 0 && errno == EINTR) {}
    return count == 0;
}

// Waits until the host has read everything. False: it has left.
static bool is_read(const peer *p) {
    int unread = 1;
    while (linger(p, 0) && ioctl(p->socket, SIOCOUTQ, &unread) == 0 && unread > 0) sched_yield();
    return unread == 0;
}

static bool put_slowly(peer *p, int pause) {
    for (size_t i = 0; i < p->out.length; i++) {
        if (!put(p, p->out.bytes + i, 1)) return false;
        if (pause > 0 && !linger(p, pause)) return false;
    }
    return true;
}

// MARK: Messages

static void put_identity_of(wire *w) { wire_put_u64(w, 0x1000); }

static void put_number(wire *w, int64_t number) {
    lb_value value = {.type = LB_TYPE_INTEGER, .integer = number};
    lb_wire_value(w, &value);
}

static void put_table(wire *w) {
    lb_value value = {.type = LB_TYPE_TABLE};
    lb_wire_value(w, &value);
    put_identity_of(w);
}

static void put_string(wire *w, const char *bytes) {
    lb_value value = {.type = LB_TYPE_STRING, .bytes = bytes, .length = strlen(bytes)};
    lb_wire_value(w, &value);
}

static void put_chunk(peer *p, wire *w) {
    wire_put_u32(w, p->plan.chunk);
    for (uint32_t i = 0; i < p->plan.chunk; i++) wire_put_u8(w, 'c');
}

static void put_location(peer *p, wire *w) {
    put_chunk(p, w);
    wire_put_u32(w, 7);
}

static void put_level(peer *p, wire *w) {
    put_chunk(p, w);
    wire_put_text(w, "function", 8);
    wire_put_u32(w, 7);
    wire_put_u32(w, 1);
    wire_put_u32(w, 9);
}

static void put_variable_of_peer(wire *w) {
    wire_put_text(w, "variable", 8);
    wire_put_u8(w, 1);
    put_number(w, 5);
}

static void put_place(wire *w) {
    lb_place place = {.table = (const void *)0x1000, .token = 7, .variable = 1};
    wire_put_u32(w, 1);
    lb_wire_place(w, &place);
}

static void put_fields(peer *p, wire *w) {
    uint32_t count = p->plan.fields == 0 ? 2 : p->plan.fields;
    wire_put_u8(w, !p->plan.endless);
    wire_put_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_string(w, "key");
        if (p->plan.refers)
            put_table(w);
        else
            put_number(w, i);
    }
}

static void put_reply_of_call(wire *w, const pending_call *c) {
    bool refers = c->wants & LB_WANT_REFERENCE;
    put_number(w, 1);
    if (refers) put_identity_of(w);
    if (c->request == ASK_CALL_CHANGING) put_number(w, 2);
}

static void put_result(peer *p, wire *w, char result) {
    lb_location location = {"chunk", 5, 3};
    switch (result) {
        case 'N':
            wire_put_u8(w, LB_TYPE_TABLE);
            put_identity_of(w);
            break;
        case 'F':
            if (p->plan.refers) put_table(w);
            else put_number(w, 3);
            break;
        case 'P': put_number(w, 4); break;
        case 'T': put_string(w, "text"); break;
        case 'L': lb_wire_location(w, &location); break;
        case 'C': put_level(p, w); break;
        case 'V': put_variable_of_peer(w); break;
        case 'Q': wire_put_u64(w, 6); break;
        case 'S': put_place(w); break;
        default: break;
    }
}

static wire begin_reply_of_peer(peer *p) {
    const uint64_t random[4] = {1, 2, 3, 4};
    wire w = lb_frame_begin(&p->out, TELL_REPLY);
    wire_put_u32(&w, LB_OK);
    wire_put_u64(&w, 1000);
    wire_put_u64(&w, 0);
    lb_wire_bytes(&w, (void *)random, sizeof random);
    wire_put_u32(&w, 0);
    return w;
}

static wire make_reply(peer *p) {
    wire w = begin_reply_of_peer(p);
    switch (p->now.request) {
        case ASK_OPEN: break;
        case ASK_CALL:
        case ASK_CALL_CHANGING: put_reply_of_call(&w, &p->now); break;
        case ASK_FIELDS:
        case ASK_CALL_FIELDS:
        case ASK_MORE_FIELDS: put_fields(p, &w); break;
        case ASK_MOMENT_READ:
            wire_put_u8(&w, LB_FOUND);
            put_variable_of_peer(&w);
            break;
        default:
            if (p->now.request < REQUESTS_IN_TABLE)
                put_result(p, &w, lb_request_forms[p->now.request].result);
            break;
    }
    return w;
}

static wire make_call(peer *p) {
    wire w = lb_frame_begin(&p->out, TELL_CALL);
    wire_put_u32(&w, p->function);
    wire_put_u32(&w, 3);
    wire_put_u8(&w, 1);
    put_location(p, &w);
    put_table(&w);
    wire_put_u8(&w, 0);
    put_string(&w, "argument");
    put_identity_of(&w);
    wire_put_u8(&w, 0);
    // A long text, which is not sent with the call.
    lb_value value = {.type = LB_TYPE_STRING};
    lb_wire_value(&w, &value);
    put_identity_of(&w);
    wire_put_u8(&w, 0);
    return w;
}

static wire make_moment(peer *p) {
    wire w = lb_frame_begin(&p->out, TELL_MOMENT);
    wire_put_u32(&w, p->plan.unchosen ? UINT32_MAX : 0);
    wire_put_u8(&w, 0);
    wire_put_u8(&w, 1);
    put_identity_of(&w);
    wire_put_u32(&w, 3);
    wire_put_u32(&w, 2);
    put_level(p, &w);
    return w;
}

static void make(peer *p, peer_message message) {
    wire w;
    switch (message) {
        case PEER_REPLY: w = make_reply(p); break;
        case PEER_CALL: w = make_call(p); break;
        case PEER_CONFIRM:
            w = lb_frame_begin(&p->out, TELL_CONFIRM);
            wire_put_u64(&w, 1);
            break;
        case PEER_PRINT:
            w = lb_frame_begin(&p->out, TELL_PRINT);
            wire_put_text(&w, "printed", 7);
            put_location(p, &w);
            break;
        case PEER_MOMENT: w = make_moment(p); break;
        case PEER_HITS:
            w = lb_frame_begin(&p->out, TELL_HITS);
            wire_put_u32(&w, 0);
            wire_put_u64(&w, ++p->hits);
            break;
        case PEER_UNKNOWN:
            w = lb_frame_begin(&p->out, 99);
            wire_put_u32(&w, 0);
            break;
    }
    lb_frame_end(&w);
}

static void set_length(peer *p, uint32_t length) { memcpy(p->out.bytes, &length, 4); }

static void change(peer *p) {
    for (uint64_t changes = 1 + number(p) % 4; changes > 0; changes--) {
        // The length stays.
        size_t at = 4 + (number(p) << 8 | number(p)) % (p->out.length - 4);
        uint8_t byte = (uint8_t)number(p);
        p->out.bytes[at] = number(p) % 2 == 0 ? byte : byte % 16;
    }
}

static bool put_without_end(peer *p, const void *bytes, size_t length) {
    // Many at once, as fast as possible.
    enum { BATCH = 1 << 16 };
    size_t copies = length < BATCH ? BATCH / length : 1;
    unsigned char *batch = malloc(copies * length);
    if (batch == NULL) return false;
    for (size_t i = 0; i < copies; i++) memcpy(batch + i * length, bytes, length);
    while (put(p, batch, copies * length)) {}
    free(batch);
    return false;
}

static bool put_whole(peer *p) { return put(p, p->out.bytes, p->out.length); }

// Sends the plan's next message, and those after it that the host does not answer.
static bool put_said(peer *p) {
    for (bool goes_on = true; goes_on && p->told < p->plan.said_size;) {
        const uint8_t *from = p->plan.said + p->told;
        size_t left = p->plan.said_size - p->told, size = left;
        uint32_t length;
        if (left > 4) {
            memcpy(&length, from, 4);
            if (length <= left - 4) size = length + 4;
            goes_on = from[4] == TELL_PRINT || from[4] == TELL_HITS;
        }
        p->told += size;
        if (!put(p, from, size)) return false;
    }
    return p->told < p->plan.said_size;
}

// False: it has nothing more to say.
static bool deliver(peer *p, peer_habit habit) {
    static const unsigned char zeros[4096] = {0};
    buffer *out = &p->out;
    uint32_t length = (uint32_t)out->length - 4;
    switch (habit) {
        case PEER_WHOLE: return put_whole(p);
        case PEER_FLOOD: return put_without_end(p, out->bytes, out->length);
        case PEER_TWICE: {
            size_t once = out->length;
            if (!buffer_reserve(out, once)) return false;
            memcpy(out->bytes + once, out->bytes, once);
            out->length += once;
            return put_whole(p);
        }
        case PEER_TWICE_APART: return put_whole(p) && is_read(p) && put_whole(p);
        case PEER_TRICKLE: return put_slowly(p, 1);
        case PEER_DRIP: return put_slowly(p, 0);
        case PEER_HALF:
            (void)put(p, out->bytes, out->length / 2);
            (void)linger(p, -1);
            return false;
        case PEER_HALF_END: (void)put(p, out->bytes, out->length / 2); return false;
        case PEER_LENGTH:
            set_length(p, p->plan.length);
            return put_whole(p) && put_without_end(p, zeros, sizeof zeros);
        case PEER_SHORT:
            set_length(p, length - 1);
            out->length--;
            return put_whole(p);
        case PEER_LONG:
            set_length(p, length + 1);
            return put_whole(p) && put(p, zeros, 1);
        case PEER_WRONG: change(p); return put_whole(p);
        case PEER_SILENT:
        case PEER_DEAF: (void)linger(p, -1); return false;
        case PEER_END: return false;
        case PEER_SAID: return put_said(p);
    }
    return false;
}

// MARK: A conversation

// Reads the next message of the host, and finds what is to be replied to. False: the host has left.
static bool hear(peer *p) {
    uint32_t length;
    if (!take(p, &length, 4) || length == 0) return false;
    p->in.length = 0;
    if (!buffer_reserve(&p->in, length) || !take(p, p->in.bytes, length)) return false;
    wire r = wire_reader(p->in.bytes + 1, length - 1);
    wire_request request = (wire_request)p->in.bytes[0];
    p->heard++;
    if (request == ASK_ANSWER && p->depth > 0) {
        p->now = p->calls[p->depth - 1];
        return true;
    }
    p->now = (pending_call){request, 0};
    if (request != ASK_OPEN) (void)lb_wire_get_text(&r);
    // The slot, or a call's function.
    (void)lb_wire_get_u32(&r);
    if (request == ASK_make_function) p->function = lb_wire_get_u32(&r);
    if (request == ASK_CALL || request == ASK_CALL_CHANGING) {
        if (p->depth == DEEPEST) return false;
        p->now.wants = lb_wire_get_u32(&r);
        p->calls[p->depth++] = p->now;
    }
    return true;
}

static bool speak(peer *p) {
    choice c;
    do {
        c = choose(p);
        bool is_last = p->heard > p->plan.fair;
        if (is_last && p->plan.pause > 0 && !linger(p, (int)p->plan.pause)) return false;
        make(p, c.message);
        bool goes_on = deliver(p, c.habit);
        if (is_last) atomic_store(&p->is_done, true);
        if (!goes_on) return false;
    } while (c.message == PEER_PRINT || c.message == PEER_HITS);
    bool replied = c.message == PEER_REPLY;
    bool is_call = p->now.request == ASK_CALL || p->now.request == ASK_CALL_CHANGING;
    if (replied && is_call && p->depth > 0) p->depth--;
    return true;
}

static void *run(void *pointer) {
    peer *p = pointer;
    for (;;) {
        bool is_deaf = p->plan.orders == NULL && p->plan.habit == PEER_DEAF
            && p->heard == p->plan.fair;
        if (is_deaf) (void)linger(p, -1);
        if (is_deaf || !hear(p) || !speak(p)) break;
    }
    // What the host still sends is not read, and it hears that nothing comes.
    shutdown(p->socket, SHUT_RDWR);
    atomic_store(&p->is_done, true);
    return NULL;
}

peer *peer_start(
    const peer_plan *plan, const lb_configuration *configuration, lb_state **state) {
    int ends[2];
    peer *p = calloc(1, sizeof(peer));
    if (p != NULL && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        p->plan = *plan;
        p->socket = ends[1];
        p->random = plan->seed;
        if (pthread_create(&p->thread, NULL, run, p) == 0) {
            (void)lb_client_open(configuration, ends[0], state);
            return p;
        }
    }
    free(p);
    return NULL;
}

bool peer_is_done(const peer *p) { return atomic_load(&p->is_done); }

void peer_end(peer *p) {
    shutdown(p->socket, SHUT_RDWR);
    pthread_join(p->thread, NULL);
    close(p->socket);
    free(p->in.bytes);
    free(p->out.bytes);
    free(p);
}

#endif
