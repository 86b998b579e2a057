// Executes the host's requests.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Calls

enum { FEW_ARGUMENTS = 8 };

static void call(wire *r, bool changes) {
    lb_argument few[FEW_ARGUMENTS], *arguments = few;
    lb_value result = {.type = LB_TYPE_NIL}, changed = {.type = LB_TYPE_NIL};
    int32_t function = get_reference(r);
    int32_t wants = (int32_t)wire_get_u32(r);
    uint32_t slot = wire_get_u32(r), count = wire_get_u32(r);
    if (count > (size_t)(r->end - r->at)) count = 0;  // each takes at least a byte
    if (count > FEW_ARGUMENTS) arguments = malloc(count * sizeof(lb_argument));
    if (arguments == NULL || !reserve_slot(slot)) {
        if (arguments != few) free(arguments);
        return reply(LB_MEMORY);
    }
    for (uint32_t i = 0; i < count; i++) get_argument(r, &arguments[i]);
    size_t old_length = 0;
    wire_sum old = {0, 0};
    bool compares = changes && wire_get_bool(r);
    if (compares) {
        old_length = wire_get_u64(r);
        wire_bytes(r, &old, sizeof old);
    }
    lb_state *state = server.state;
    lb_status status = changes
        ? interpreter_call_changing(
            state, function, arguments, (int32_t)count, wants, NULL, 0, &result, &changed)
        : interpreter_call_function(
            state, function, arguments, (int32_t)count, wants, &result);
    if (arguments != few) free(arguments);
    if (compares && changed.length == old_length && changed.bytes != NULL) {
        wire_sum now = wire_sum_of(changed.bytes, changed.length);
        if (now.first == old.first && now.second == old.second) changed.type = LB_TYPE_NIL;
    }
    tell_hits();
    wire w = begin_reply(status);
    if (status == LB_OK) {
        wire_value(&w, &result);
        if (result.reference != 0) keep(slot, result.reference);
        if (wants & LB_WANT_REFERENCE) put_identity(&w, result.reference);
        if (changes) wire_value(&w, &changed);
    }
    end_reply(&w);
}

// MARK: Fields

// All fields of a table together may take as much as one frame.
static void reply_fields(lb_status begun, uint32_t slot, bool are_first) {
    static size_t told;
    bool over = begun != LB_OK;
    if (are_first) told = 0;
    wire w = begin_reply(begun);
    if (over) return end_reply(&w);
    size_t start = server.out.length;
    uint32_t count = 0;
    wire_put_u8(&w, 0);
    wire_put_u32(&w, 0);
    while (!over && count < FIELD_BATCH && server.out.length - start < FIELD_BATCH_BYTES
           && !w.failed) {
        lb_value key, value;
        lb_status status =
            reserve_slot(slot) ? interpreter_fields_next(server.state, &key, &value) : LB_MEMORY;
        over = status != LB_OK;
        if (status == LB_ABSENT) break;
        if (over) {
            interpreter_fields_end(server.state);
            return reply(status);
        }
        wire_value(&w, &key);
        put_field(&w, &value, slot);
        if (value.reference != 0) slot++;
        count++;
    }
    told += server.out.length - start;
    bool fits = !w.failed && told <= server.frame_limit;
    if (over || !fits) interpreter_fields_end(server.state);
    if (!fits) {
        w.failed = true;
    } else {
        server.out.bytes[start] = over;
        memcpy(server.out.bytes + start + 1, &count, 4);
    }
    end_reply(&w);
}

// MARK: The table of requests

// For tests: attempts something that the wall forbids. Returns if the wall does not stop it.
static lb_status try_forbidden(int32_t what) {
    switch (what) {
        case 0: (void)open("/etc/passwd", O_RDONLY); break;
        case 1: (void)socket(AF_INET, SOCK_STREAM, 0); break;
        case 2: (void)syscall(SYS_getppid); break;
        case 3: (void)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); break;
        case 4: (void)execl("/bin/true", "true", (char *)NULL); break;
        case 5: (void)kill(1, 0); break;
        case 6: (void)!write(2, "x", 1); break;
        case 7: abort();
        case 8: for (;;) {}
        case 9: {
            // A frame that exceeds any limit.
            const unsigned char bytes[] = {0xff, 0xff, 0xff, 0xff, TELL_REPLY};
            send(server.connection, bytes, sizeof bytes, MSG_NOSIGNAL);
            break;
        }
        case 11: {
            // Allocates and uses more memory than the process may have.
            enum { STEP = 16 << 20 };
            for (char *more; (more = malloc(STEP)) != NULL;) memset(more, 1, STEP);
            abort();
        }
        case 12: raise(SIGSEGV); break;
        default: _exit(what);
    }
    return LB_OK;
}

typedef union {
    int32_t reference, integer;
    int64_t number;
    lb_argument argument;
    lb_text text;
} part;

typedef struct {
    int32_t made;
    lb_value value;
    lb_location location;
    lb_level level;
    lb_variable variable;
    moment_places places;
    uint64_t number;
} outcome;

static void get_part(wire *r, char kind, part *p) {
    switch (kind) {
        case 'R':
        case 'r': p->reference = get_reference(r); break;
        case 'a': get_argument(r, &p->argument); break;
        case 'i': p->integer = (int32_t)wire_get_u32(r); break;
        case 'q': p->number = (int64_t)wire_get_u64(r); break;
        case 'o': p->text = wire_get_bool(r) ? wire_get_text(r) : (lb_text){NULL, 0}; break;
        default: p->text = wire_get_text(r); break;
    }
}

// The macros of the table of requests.
#define REF(n) p[n].reference
#define INT(n) p[n].integer
#define LONG(n) p[n].number
#define TEXT(n) p[n].text.bytes, p[n].text.length
#define ARGUMENT(n) &p[n].argument
#define MADE &out->made
#define VALUE &out->value
#define LOCATION &out->location
#define LEVEL &out->level
#define VARIABLE &out->variable
#define PLACES &out->places

static lb_status do_request(wire_request request, part *p, const level *l, outcome *out) {
    lb_state *state = server.state;
    lb_call *call = l->call;
    const lb_moment *moment = l->moment;
    switch (request) {
#define REQUEST_CASE(unused, name, parameters, arguments, parts, result, serve)                    \
    case ASK_##name: return serve;
        REQUESTS(REQUEST_CASE)
        default: return LB_ABSENT;
    }
}

static void put_outcome(wire *w, char result, outcome *o, uint32_t slot) {
    switch (result) {
        case 'N':
            keep(slot, o->made);
            wire_put_u8(w, (uint8_t)interpreter_reference_type(server.state, o->made));
            put_identity(w, o->made);
            break;
        case 'F': put_field(w, &o->value, slot); break;
        case 'P':
        case 'T': wire_value(w, &o->value); break;
        case 'L': wire_location(w, &o->location); break;
        case 'C': wire_level(w, &o->level); break;
        case 'V': put_variable(w, &o->variable); break;
        case 'Q': wire_put_u64(w, o->number); break;
        case 'S': put_places(w, &o->places); break;
        default: break;
    }
}

// Executes a request of the table.
static void serve_request(wire *r, wire_request request, const level *l) {
    const request_form *form = &request_forms[request];
    const char *kind = form->parts;
    part parts[MOST_PARTS] = {{0}}, *p = parts;
    outcome o = {.value = {.type = LB_TYPE_NIL}};
    bool of_call = *kind == 'c', of_moment = *kind == 'm';
    bool possible = (!of_call || l->call != NULL) && (!of_moment || l->moment != NULL);
    if (of_call || of_moment) kind++;
    uint32_t slot = has_slot(form->result) ? wire_get_u32(r) : 0;
    if (!reserve_slot(slot)) return reply(LB_MEMORY);
    for (; *kind != '\0'; kind++, p++) {
        get_part(r, *kind, p);
        if (*kind == 'R' && p->reference == 0) possible = false;
    }
    lb_status status = possible ? do_request(request, parts, l, &o) : LB_ABSENT;
    wire w = begin_reply(status);
    if (status == LB_OK) put_outcome(&w, form->result, &o, slot);
    end_reply(&w);
}

static void begin_fields(wire *r, wire_request request, lb_call *call) {
    uint32_t slot = wire_get_u32(r);
    lb_status status = LB_OK;
    if (request == ASK_FIELDS)
        status = interpreter_fields_begin(server.state, get_reference(r));
    else if (request == ASK_CALL_FIELDS)
        status = call == NULL ? LB_ABSENT
                              : interpreter_call_fields_begin(call, (int32_t)wire_get_u32(r));
    reply_fields(status, slot, request != ASK_MORE_FIELDS);
}

static void take_notes(wire *r, level *l) {
    lb_text text = wire_get_text(r);
    wire notes = wire_reader(text.bytes, text.length);
    while (notes.at < notes.end && !notes.failed) {
        wire_note note = (wire_note)wire_get_u8(&notes);
        if (note == NOTE_FIELDS_END) {
            interpreter_fields_end(server.state);
            continue;
        }
        if (note == NOTE_RANDOM) {
            uint64_t *random = server.state->sandbox.random;
            const void *bytes = wire_get(&notes, sizeof server.state->sandbox.random);
            if (bytes != NULL) memcpy(random, bytes, sizeof server.state->sandbox.random);
            continue;
        }
        uint32_t slot = wire_get_u32(&notes);
        if (note == NOTE_NEXT) {
            line_set_next(slot, wire_get_u64(&notes));
            continue;
        }
        int32_t found = reference(slot);
        switch (note) {
            case NOTE_RELEASE:
                interpreter_release(server.state, found);
                if (slot < server.slot_count) server.slots[slot] = 0;
                break;
            case NOTE_USABLE: {
                bool usable = wire_get_bool(&notes), shows_input = wire_get_bool(&notes);
                if (found != 0)
                    interpreter_object_set_usable(server.state, found, usable, shows_input);
                break;
            }
            case NOTE_RECALL:
                if (found != 0) interpreter_object_recall(server.state, found);
                break;
            case NOTE_REPLY: {
                lb_argument argument = {.kind = LB_ARGUMENT_REFERENCE, .reference = found};
                if (found == 0) argument.kind = LB_ARGUMENT_NIL;
                if (l->call != NULL) (void)interpreter_reply(l->call, &argument);
                break;
            }
            case NOTE_REMEMBER: {
                int64_t token = (int64_t)wire_get_u64(&notes);
                if (l->call != NULL && (found != 0 || slot == 0))
                    (void)interpreter_remember(l->call, token, found);
                break;
            }
            default: break;
        }
    }
}

wire serve_level(level *l) {
    for (;;) {
        wire_request request;
        wire r = next_frame(l, &request);
        take_notes(&r, l);
        switch (request) {
            case ASK_ANSWER: return r;
            case ASK_CALL:
            case ASK_CALL_CHANGING: call(&r, request == ASK_CALL_CHANGING); break;
            case ASK_FIELDS:
            case ASK_CALL_FIELDS:
            case ASK_MORE_FIELDS: begin_fields(&r, request, l->call); break;
            case ASK_TRACE: trace_serve(&r); break;
            case ASK_MOMENT_READ: moment_serve_read(&r, l->moment); break;
            default:
                if (request >= REQUESTS_IN_TABLE) _exit(3);
                serve_request(&r, request, l);
        }
    }
}

#endif
