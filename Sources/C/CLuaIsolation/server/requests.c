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
    int32_t function = lb_get_reference(r);
    int32_t wants = (int32_t)lb_wire_get_u32(r);
    uint32_t slot = lb_wire_get_u32(r), count = lb_wire_get_u32(r);
    if (count > (size_t)(r->end - r->at)) count = 0;  // each takes at least a byte
    if (count > FEW_ARGUMENTS) arguments = malloc(count * sizeof(lb_argument));
    if (arguments == NULL || !lb_reserve_slot(slot)) {
        if (arguments != few) free(arguments);
        return lb_server_reply(LB_MEMORY);
    }
    for (uint32_t i = 0; i < count; i++) lb_get_argument(r, &arguments[i]);
    size_t old_length = 0;
    wire_sum old = {0, 0};
    bool compares = changes && lb_wire_get_bool(r);
    if (compares) {
        old_length = lb_wire_get_u64(r);
        lb_wire_bytes(r, &old, sizeof old);
    }
    lb_state *state = lb_server.state;
    lb_status status = changes
        ? lb_interpreter_call_changing(
            state, function, arguments, (int32_t)count, wants, NULL, 0, &result, &changed)
        : lb_interpreter_call_function(
            state, function, arguments, (int32_t)count, wants, &result);
    if (arguments != few) free(arguments);
    if (compares && changed.length == old_length && changed.bytes != NULL) {
        wire_sum now = lb_wire_sum_of(changed.bytes, changed.length);
        if (now.first == old.first && now.second == old.second) changed.type = LB_TYPE_NIL;
    }
    lb_tell_hits();
    wire w = lb_begin_reply(status);
    if (status == LB_OK) {
        lb_wire_value(&w, &result);
        if (result.reference != 0) lb_server_keep(slot, result.reference);
        if (wants & LB_WANT_REFERENCE) lb_put_identity(&w, result.reference);
        if (changes) lb_wire_value(&w, &changed);
    }
    lb_end_reply(&w);
}

// MARK: Fields

// All fields of a table together may take as much as one frame.
static void reply_fields(lb_status begun, uint32_t slot, bool are_first) {
    static size_t told;
    bool over = begun != LB_OK;
    if (are_first) told = 0;
    wire w = lb_begin_reply(begun);
    if (over) return lb_end_reply(&w);
    size_t start = lb_server.out.length;
    uint32_t count = 0;
    wire_put_u8(&w, 0);
    wire_put_u32(&w, 0);
    while (!over && count < FIELD_BATCH && lb_server.out.length - start < FIELD_BATCH_BYTES
           && !w.failed) {
        lb_value key, value;
        lb_status status = lb_reserve_slot(slot)
            ? lb_interpreter_fields_next(lb_server.state, &key, &value)
            : LB_MEMORY;
        over = status != LB_OK;
        if (status == LB_ABSENT) break;
        if (over) {
            lb_interpreter_fields_end(lb_server.state);
            return lb_server_reply(status);
        }
        lb_wire_value(&w, &key);
        lb_put_field(&w, &value, slot);
        if (value.reference != 0) slot++;
        count++;
    }
    told += lb_server.out.length - start;
    bool fits = !w.failed && told <= lb_server.frame_limit;
    if (over || !fits) lb_interpreter_fields_end(lb_server.state);
    if (!fits) {
        w.failed = true;
    } else {
        lb_server.out.bytes[start] = over;
        memcpy(lb_server.out.bytes + start + 1, &count, 4);
    }
    lb_end_reply(&w);
}

// MARK: The table of requests

#ifdef DEBUG
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
            send(lb_server.connection, bytes, sizeof bytes, MSG_NOSIGNAL);
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
#endif

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
        case 'r': p->reference = lb_get_reference(r); break;
        case 'a': lb_get_argument(r, &p->argument); break;
        case 'i': p->integer = (int32_t)lb_wire_get_u32(r); break;
        case 'q': p->number = (int64_t)lb_wire_get_u64(r); break;
        case 'o': p->text = lb_wire_get_bool(r) ? lb_wire_get_text(r) : (lb_text){NULL, 0}; break;
        default: p->text = lb_wire_get_text(r); break;
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
    lb_state *state = lb_server.state;
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
            lb_server_keep(slot, o->made);
            wire_put_u8(w, (uint8_t)lb_interpreter_reference_type(lb_server.state, o->made));
            lb_put_identity(w, o->made);
            break;
        case 'F': lb_put_field(w, &o->value, slot); break;
        case 'P':
        case 'T': lb_wire_value(w, &o->value); break;
        case 'L': lb_wire_location(w, &o->location); break;
        case 'C': lb_wire_level(w, &o->level); break;
        case 'V': lb_put_variable(w, &o->variable); break;
        case 'Q': wire_put_u64(w, o->number); break;
        case 'S': lb_put_places(w, &o->places); break;
        default: break;
    }
}

// Executes a request of the table.
static void serve_request(wire *r, wire_request request, const level *l) {
    const request_form *form = &lb_request_forms[request];
    const char *kind = form->parts;
    part parts[MOST_PARTS] = {{0}}, *p = parts;
    outcome o = {.value = {.type = LB_TYPE_NIL}};
    bool of_call = *kind == 'c', of_moment = *kind == 'm';
    bool possible = (!of_call || l->call != NULL) && (!of_moment || l->moment != NULL);
    if (of_call || of_moment) kind++;
    uint32_t slot = has_slot(form->result) ? lb_wire_get_u32(r) : 0;
    if (!lb_reserve_slot(slot)) return lb_server_reply(LB_MEMORY);
    for (; *kind != '\0'; kind++, p++) {
        get_part(r, *kind, p);
        if (*kind == 'R' && p->reference == 0) possible = false;
    }
    lb_status status = possible ? do_request(request, parts, l, &o) : LB_ABSENT;
    wire w = lb_begin_reply(status);
    if (status == LB_OK) put_outcome(&w, form->result, &o, slot);
    lb_end_reply(&w);
}

static void begin_fields(wire *r, wire_request request, lb_call *call) {
    uint32_t slot = lb_wire_get_u32(r);
    lb_status status = LB_OK;
    if (request == ASK_FIELDS)
        status = lb_interpreter_fields_begin(lb_server.state, lb_get_reference(r));
    else if (request == ASK_CALL_FIELDS)
        status = call == NULL ? LB_ABSENT
                              : lb_interpreter_call_fields_begin(call, (int32_t)lb_wire_get_u32(r));
    reply_fields(status, slot, request != ASK_MORE_FIELDS);
}

static void take_notes(wire *r, level *l) {
    lb_text text = lb_wire_get_text(r);
    wire notes = wire_reader(text.bytes, text.length);
    while (notes.at < notes.end && !notes.failed) {
        wire_note note = (wire_note)lb_wire_get_u8(&notes);
        if (note == NOTE_FIELDS_END) {
            lb_interpreter_fields_end(lb_server.state);
            continue;
        }
        if (note == NOTE_RANDOM) {
            uint64_t *random = lb_server.state->sandbox.random;
            const void *bytes = lb_wire_get(&notes, sizeof lb_server.state->sandbox.random);
            if (bytes != NULL) memcpy(random, bytes, sizeof lb_server.state->sandbox.random);
            continue;
        }
        uint32_t slot = lb_wire_get_u32(&notes);
        if (note == NOTE_NEXT) {
            lb_line_set_next(slot, lb_wire_get_u64(&notes));
            continue;
        }
        int32_t found = lb_server_reference(slot);
        switch (note) {
            case NOTE_RELEASE:
                lb_interpreter_release(lb_server.state, found);
                if (slot < lb_server.slot_count) lb_server.slots[slot] = 0;
                break;
            case NOTE_USABLE: {
                bool usable = lb_wire_get_bool(&notes), shows_input = lb_wire_get_bool(&notes);
                if (found != 0)
                    lb_interpreter_object_set_usable(lb_server.state, found, usable, shows_input);
                break;
            }
            case NOTE_RECALL:
                if (found != 0) lb_interpreter_object_recall(lb_server.state, found);
                break;
            case NOTE_REPLY: {
                lb_argument argument = {.kind = LB_ARGUMENT_REFERENCE, .reference = found};
                if (found == 0) argument.kind = LB_ARGUMENT_NIL;
                if (l->call != NULL) (void)lb_interpreter_reply(l->call, &argument);
                break;
            }
            case NOTE_REMEMBER: {
                int64_t token = (int64_t)lb_wire_get_u64(&notes);
                if (l->call != NULL && (found != 0 || slot == 0))
                    (void)lb_interpreter_remember(l->call, token, found);
                break;
            }
            default: break;
        }
    }
}

wire lb_serve_level(level *l) {
    for (;;) {
        wire_request request;
        wire r = lb_next_frame(l, &request);
        take_notes(&r, l);
        switch (request) {
            case ASK_ANSWER: return r;
            case ASK_CALL:
            case ASK_CALL_CHANGING: call(&r, request == ASK_CALL_CHANGING); break;
            case ASK_FIELDS:
            case ASK_CALL_FIELDS:
            case ASK_MORE_FIELDS: begin_fields(&r, request, l->call); break;
            case ASK_TRACE: lb_trace_serve(&r); break;
            case ASK_MOMENT_READ: lb_moment_serve_read(&r, l->moment); break;
            default:
                if (request >= REQUESTS_IN_TABLE) _exit(3);
                serve_request(&r, request, l);
        }
    }
}

#endif
