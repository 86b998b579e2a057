// The process of the scripts: it has one state, does with it what the host asks, and ends when the
// host is gone.
//
// The references that the host knows are slots, whose numbers the host chooses.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int connection;
static lb_state *state;
static lb_interrupt *interruption;
static size_t frame_limit;
static buffer out;
static int32_t *slots;
static uint32_t slot_count;

// One for each callback that is under way, and one for what is asked outside of them.
typedef struct level {
    struct level *next;
    buffer in;
    lb_call *call;
} level;

static level bottom;

// MARK: The socket

static void receive_all(unsigned char *to, size_t length) {
    static read_ahead ahead;
    while (length > 0) {
        ssize_t count = receive(connection, &ahead, to, length, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        to += count;
        length -= (size_t)count;
    }
}

static void send_out(void) {
    const unsigned char *from = out.bytes;
    size_t length = out.length;
    while (length > 0) {
        ssize_t count = send(connection, from, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) _exit(0);
        from += count;
        length -= (size_t)count;
    }
}

// The next request of the host.
static wire next_frame(level *l, wire_request *request) {
    uint32_t length;
    receive_all((unsigned char *)&length, 4);
    buffer_trim(&l->in);
    // Without memory for what the host asks there is no way to tell it.
    if (length == 0 || !buffer_reserve(&l->in, length)) _exit(3);
    receive_all(l->in.bytes, length);
    *request = (wire_request)l->in.bytes[0];
    return wire_reader(l->in.bytes + 1, length - 1);
}

// MARK: Slots

static int32_t reference(uint32_t slot) { return slot < slot_count ? slots[slot] : 0; }

static bool reserve_slot(uint32_t slot) {
    if (slot < slot_count) return true;
    uint32_t count = slot_count == 0 ? 64 : slot_count;
    while (count <= slot) count *= 2;
    int32_t *more = realloc(slots, count * sizeof(int32_t));
    if (more == NULL) return false;
    memset(more + slot_count, 0, (count - slot_count) * sizeof(int32_t));
    slots = more;
    slot_count = count;
    return true;
}

static void keep(uint32_t slot, int32_t made) {
    // What a request that failed has left there.
    if (slots[slot] != 0) interpreter_release(state, slots[slot]);
    slots[slot] = made;
}

static int32_t get_reference(wire *r) { return reference(wire_get_u32(r)); }

static void get_argument(wire *r, lb_argument *argument) {
    wire_argument(r, argument);
    if (argument->kind != LB_ARGUMENT_REFERENCE) return;
    argument->reference = reference((uint32_t)argument->reference);
    if (argument->reference == 0) *argument = (lb_argument){.kind = LB_ARGUMENT_NIL};
}

// MARK: Replies

// The beginning of every reply.
static wire begin_header(lb_status status) {
    wire w = frame_begin(&out, TELL_REPLY);
    wire_put_u32(&w, (uint32_t)status);
    wire_put_u64(&w, state->limits.memory_in_use);
    wire_put_u64(&w, state->limits.memory_peak);
    wire_bytes(&w, state->sandbox.random, sizeof state->sandbox.random);
    return w;
}

static wire begin_reply(lb_status status) {
    wire w = begin_header(status);
    size_t place = out.length;
    uint32_t count = 0;
    int32_t function;
    wire_put_u32(&w, 0);
    while (!w.failed && interpreter_take_dead_function(state, &function)) {
        wire_put_u32(&w, (uint32_t)function);
        count++;
    }
    if (!w.failed) memcpy(out.bytes + place, &count, 4);
    if (status != LB_OK && status != LB_ABSENT) wire_failure(&w, state);
    return w;
}

static void end_reply(wire *w) {
    if (w->failed || out.length > frame_limit) {
        // The header alone has room.
        *w = begin_header(LB_MEMORY);
        wire_put_u32(w, 0);
        wire_failure(w, state);
        if (w->failed) _exit(3);
    }
    frame_end(w);
    send_out();
}

static void reply(lb_status status) {
    wire w = begin_reply(status);
    end_reply(&w);
}

static void put_identity(wire *w, int32_t made) {
    wire_put_identity(w, interpreter_reference_identity(state, made));
}

// A value that was read raw: what is no scalar has a reference.
static void put_field(wire *w, lb_value *value, uint32_t slot) {
    wire_value(w, value);
    if (value->reference == 0) return;
    keep(slot, value->reference);
    put_identity(w, value->reference);
}

// MARK: Calls

enum { FEW_ARGUMENTS = 8 };

static void call(wire *r, bool changes) {
    lb_argument few[FEW_ARGUMENTS], *arguments = few;
    lb_value result = {.type = LB_TYPE_NIL}, changed = {.type = LB_TYPE_NIL};
    int32_t function = get_reference(r);
    int32_t wants = (int32_t)wire_get_u32(r);
    uint32_t slot = wire_get_u32(r), count = wire_get_u32(r);
    if (count > (size_t)(r->end - r->at)) count = 0;  // each takes a byte or more
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
    lb_status status =
        changes ? interpreter_call_changing(
            state, function, arguments, (int32_t)count, wants, NULL, 0, &result, &changed)
                : interpreter_call_function(state, function, arguments, (int32_t)count, wants, &result);
    if (arguments != few) free(arguments);
    if (compares && !changed.has_views && changed.length == old_length && changed.bytes != NULL) {
        wire_sum now = wire_sum_of(changed.bytes, changed.length);
        if (now.first == old.first && now.second == old.second)
            changed = (lb_value){.type = LB_TYPE_NIL};
    }
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

static void reply_fields(lb_status begun, uint32_t slot) {
    bool over = begun != LB_OK;
    wire w = begin_reply(begun);
    if (over) return end_reply(&w);
    size_t start = out.length;
    uint32_t count = 0;
    wire_put_u8(&w, 0);
    wire_put_u32(&w, 0);
    while (!over && count < FIELD_BATCH && out.length - start < FIELD_BATCH_BYTES && !w.failed) {
        lb_value key, value;
        lb_status status = reserve_slot(slot) ? interpreter_fields_next(state, &key, &value) : LB_MEMORY;
        over = status != LB_OK;
        if (status == LB_ABSENT) break;
        if (over) {
            interpreter_fields_end(state);
            return reply(status);
        }
        wire_value(&w, &key);
        put_field(&w, &value, slot);
        if (value.reference != 0) slot++;
        count++;
    }
    bool fits = !w.failed && out.length <= frame_limit;
    if (over || !fits) interpreter_fields_end(state);
    if (fits) {
        out.bytes[start] = over;
        memcpy(out.bytes + start + 1, &count, 4);
    }
    end_reply(&w);
}

// MARK: Requests

static void open_state(wire *r) {
    lb_configuration configuration;
    const void *bytes = wire_get(r, sizeof configuration);
    if (bytes == NULL) _exit(3);
    memcpy(&configuration, bytes, sizeof configuration);
    frame_limit = frame_limit_of(&configuration);
    // What Lua takes, at most twice its limit, and the buffers on its way to the host.
    size_t memory = 256 << 20, more;
    if (__builtin_mul_overflow(frame_limit, 4, &more) || __builtin_add_overflow(memory, more, &memory)
        || __builtin_mul_overflow(configuration.memory_limit, 2, &more)
        || __builtin_add_overflow(memory, more, &memory))
        memory = SIZE_MAX;
    (void)stack_room();  // looks into a file, the first time
    const char *problem = wall_raise(connection, memory);
    lb_status status = problem == NULL ? sandbox_open(&configuration, &state) : LB_NO_ISOLATION;
    if (status != LB_OK) {
        wire w = frame_begin(&out, TELL_REPLY);
        wire_put_u32(&w, (uint32_t)status);
        wire_put_text(&w, problem, problem == NULL ? 0 : strlen(problem));
        frame_end(&w);
        send_out();
        _exit(0);
    }
    interruption = interrupt_retain(state->limits.interrupt);
}

// For tests: tries what the wall forbids, and tells if it comes back.
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
            // A frame that is longer than any.
            const unsigned char bytes[] = {0xff, 0xff, 0xff, 0xff, TELL_REPLY};
            send(connection, bytes, sizeof bytes, MSG_NOSIGNAL);
            break;
        }
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

// The words of the table of requests.
#define REF(n) p[n].reference
#define INT(n) p[n].integer
#define LONG(n) p[n].number
#define TEXT(n) p[n].text.bytes, p[n].text.length
#define ARGUMENT(n) &p[n].argument
#define MADE &out->made
#define VALUE &out->value
#define LOCATION &out->location

static lb_status do_request(wire_request request, part *p, lb_call *call, outcome *out) {
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
            wire_put_u8(w, (uint8_t)interpreter_reference_type(state, o->made));
            put_identity(w, o->made);
            break;
        case 'F': put_field(w, &o->value, slot); break;
        case 'P':
        case 'T': wire_value(w, &o->value); break;
        case 'L': wire_location(w, &o->location); break;
        default: break;
    }
}

// Does a request as the table has it.
static void serve_request(wire *r, wire_request request, lb_call *call) {
    const request_form *form = &request_forms[request];
    const char *kind = form->parts;
    part parts[MOST_PARTS] = {{0}}, *p = parts;
    outcome o = {.value = {.type = LB_TYPE_NIL}};
    bool possible = *kind != 'c' || call != NULL;
    if (*kind == 'c') kind++;
    uint32_t slot = has_slot(form->result) ? wire_get_u32(r) : 0;
    if (!reserve_slot(slot)) return reply(LB_MEMORY);
    for (; *kind != '\0'; kind++, p++) {
        get_part(r, *kind, p);
        if (*kind == 'R' && p->reference == 0) possible = false;
    }
    lb_status status = possible ? do_request(request, parts, call, &o) : LB_ABSENT;
    wire w = begin_reply(status);
    if (status == LB_OK) put_outcome(&w, form->result, &o, slot);
    end_reply(&w);
}

static void begin_fields(wire *r, wire_request request, lb_call *call) {
    uint32_t slot = wire_get_u32(r);
    lb_status status = LB_OK;
    if (request == ASK_FIELDS)
        status = interpreter_fields_begin(state, get_reference(r));
    else if (request == ASK_CALL_FIELDS)
        status = call == NULL ? LB_ABSENT
                              : interpreter_call_fields_begin(call, (int32_t)wire_get_u32(r));
    reply_fields(status, slot);
}

static void take_notes(wire *r, level *l) {
    lb_text text = wire_get_text(r);
    wire notes = wire_reader(text.bytes, text.length);
    while (notes.at < notes.end && !notes.failed) {
        wire_note note = (wire_note)wire_get_u8(&notes);
        if (note == NOTE_FIELDS_END) {
            interpreter_fields_end(state);
            continue;
        }
        if (note == NOTE_RANDOM) {
            const void *bytes = wire_get(&notes, sizeof state->sandbox.random);
            if (bytes != NULL) memcpy(state->sandbox.random, bytes, sizeof state->sandbox.random);
            continue;
        }
        uint32_t slot = wire_get_u32(&notes);
        int32_t found = reference(slot);
        switch (note) {
            case NOTE_RELEASE:
                interpreter_release(state, found);
                if (slot < slot_count) slots[slot] = 0;
                break;
            case NOTE_USABLE: {
                bool usable = wire_get_bool(&notes);
                if (found != 0) interpreter_object_set_usable(state, found, usable);
                break;
            }
            case NOTE_RECALL:
                if (found != 0) interpreter_object_recall(state, found);
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

// Does what the host asks until it answers.
static wire serve_level(level *l) {
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
            default:
                if (request >= REQUESTS_IN_TABLE) _exit(3);
                serve_request(&r, request, l->call);
        }
    }
}

// MARK: Callbacks

static level *innermost = &bottom;

// Sends the frame in `out`, and gives the answer of the host.
static wire ask_host(wire *w, lb_call *call) {
    if (w->failed) _exit(3);
    frame_end(w);
    level *l = innermost->next;
    if (l == NULL) {
        l = innermost->next = calloc(1, sizeof(level));
        if (l == NULL) _exit(3);
    }
    level *outer = innermost;
    innermost = l;
    l->call = call;
    send_out();
    wire answer = serve_level(l);
    l->call = NULL;
    innermost = outer;
    return answer;
}

static void put_call_argument(wire *w, const lb_call *call, int32_t index) {
    lb_value value;
    int64_t tag = 0;
    interpreter_call_scalar(call, index, &value);
    // A text that is not carried has no bytes.
    if (value.type == LB_TYPE_STRING && value.length > CARRIED_TEXT) value.bytes = NULL;
    wire_value(w, &value);
    wire_put_identity(w, interpreter_call_identity(call, index));
    bool is_object = value.type == LB_TYPE_OBJECT && interpreter_call_object(call, index, &tag);
    wire_put_u8(w, is_object);
    if (is_object) wire_put_u64(w, (uint64_t)tag);
}

static bool run_host_function(void *owner, int32_t function, lb_call *call) {
    (void)owner;
    lb_location location = {NULL, 0, 0};
    int32_t count = call->count;
    int32_t carried = count < CARRIED_ARGUMENTS ? count : CARRIED_ARGUMENTS;
    wire w = frame_begin(&out, TELL_CALL);
    wire_put_u32(&w, (uint32_t)function);
    wire_put_u32(&w, (uint32_t)count);
    wire_put_u8(&w, interpreter_call_location(call, &location));
    wire_location(&w, &location);
    for (int32_t i = 1; i <= carried; i++) put_call_argument(&w, call, i);
    wire answer = ask_host(&w, call);
    switch ((wire_answer)wire_get_u8(&answer)) {
        case ANSWER_NOTHING: return true;
        case ANSWER_TOO_DEEP:
            budget_stop(call->state, STOP_DEPTH);
            return true;
        case ANSWER_VALUE: {
            lb_argument argument;
            get_argument(&answer, &argument);
            if (interpreter_reply(call, &argument) == LB_OK) return true;
            interpreter_reply_error(call, "not enough memory", 17);
            return false;
        }
        case ANSWER_ERROR: {
            lb_text message = wire_get_text(&answer);
            interpreter_reply_error(call, message.bytes, message.length);
            return false;
        }
    }
    _exit(3);
}

static bool confirm(void *owner, int64_t token) {
    (void)owner;
    wire w = frame_begin(&out, TELL_CONFIRM);
    wire_put_u64(&w, (uint64_t)token);
    wire answer = ask_host(&w, NULL);
    return wire_get_bool(&answer);
}

static void print(void *owner, const char *text, size_t length, lb_location location) {
    (void)owner;
    wire w = frame_begin(&out, TELL_PRINT);
    wire_put_text(&w, text, length);
    wire_location(&w, &location);
    if (w.failed) return;
    frame_end(&w);
    send_out();
}

// MARK: The beginning

// The host wants the call to end; it says so again until that is so.
static void on_interrupt(int number) {
    (void)number;
    int before = errno;
    if (interruption != NULL) interrupt_call(interruption);
    errno = before;
}

static void take_signals(void) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    // What the language's runtime does about a crash takes more than a process behind the wall has.
    const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (int i = 0; i < COUNT_OF(crashes); i++) signal(crashes[i], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void serve(int socket) {
    connection = socket;
#if defined(M_ARENA_MAX)
    // With one arena malloc asks the kernel for memory alone.
    mallopt(M_ARENA_MAX, 1);
#endif
    take_signals();
    wire_request request;
    wire r = next_frame(&bottom, &request);
    if (request != ASK_OPEN) _exit(3);
    open_state(&r);
    state->core.host = run_host_function;
    state->core.print = print;
    state->core.confirm = confirm;
    reply(LB_OK);
    (void)serve_level(&bottom);
    _exit(3);
}

#endif
