// The process of the scripts: it has one state, does with it what the host asks, and ends when the host is gone.
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

static int wire;
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

// Small frames are read at one go.
static void receive(unsigned char *to, size_t length) {
    static unsigned char ahead[READ_AHEAD];
    static size_t start, end;
    while (length > 0) {
        if (end > start) {
            size_t step = end - start < length ? end - start : length;
            memcpy(to, ahead + start, step);
            start += step;
            to += step;
            length -= step;
            continue;
        }
        bool is_large = length >= READ_AHEAD;
        ssize_t count = is_large ? recv(wire, to, length, 0) : recv(wire, ahead, READ_AHEAD, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        if (is_large) {
            to += count;
            length -= (size_t)count;
        } else {
            start = 0;
            end = (size_t)count;
        }
    }
}

static void send_out(void) {
    const unsigned char *from = out.bytes;
    size_t length = out.length;
    while (length > 0) {
        ssize_t count = send(wire, from, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) _exit(0);
        from += count;
        length -= (size_t)count;
    }
}

// What the host asks next.
static reader next_frame(level *l, wire_request *request) {
    uint32_t length;
    receive((unsigned char *)&length, 4);
    buffer_trim(&l->in);
    // Without memory for what the host asks there is no way to tell it.
    if (length == 0 || !buffer_reserve(&l->in, length)) _exit(3);
    receive(l->in.bytes, length);
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

static int32_t get_reference(reader *r) { return reference(wire_get_u32(r)); }

static void get_argument(reader *r, lb_argument *argument) {
    wire_get_argument(r, argument);
    if (argument->kind != LB_ARGUMENT_REFERENCE) return;
    argument->reference = reference((uint32_t)argument->reference);
    if (argument->reference == 0) *argument = (lb_argument){.kind = LB_ARGUMENT_NIL};
}

// MARK: Replies

static void put_random(writer *w) {
    wire_put(w, state->sandbox.random, sizeof state->sandbox.random);
}

static void put_dead_functions(writer *w) {
    size_t place = out.length;
    uint32_t count = 0;
    int32_t function;
    wire_put_u32(w, 0);
    while (!w->failed && interpreter_take_dead_function(state, &function)) {
        wire_put_u32(w, (uint32_t)function);
        count++;
    }
    if (!w->failed) memcpy(out.bytes + place, &count, 4);
}

static writer begin_reply(lb_status status) {
    writer w;
    wire_begin(&w, &out, TELL_REPLY);
    wire_put_u32(&w, (uint32_t)status);
    wire_put_u64(&w, state->limits.memory_in_use);
    wire_put_u64(&w, state->limits.memory_peak);
    put_random(&w);
    put_dead_functions(&w);
    if (status != LB_OK && status != LB_ABSENT) wire_put_failure(&w, state);
    return w;
}

static void end_reply(writer *w) {
    if (w->failed || out.length > frame_limit) {
        // The header alone has room.
        writer again;
        wire_begin(&again, &out, TELL_REPLY);
        wire_put_u32(&again, LB_MEMORY);
        wire_put_u64(&again, state->limits.memory_in_use);
        wire_put_u64(&again, state->limits.memory_peak);
        put_random(&again);
        wire_put_u32(&again, 0);
        wire_put_failure(&again, state);
        if (again.failed) _exit(3);
        wire_end(&again);
    } else {
        wire_end(w);
    }
    send_out();
}

static void reply(lb_status status) {
    writer w = begin_reply(status);
    end_reply(&w);
}

static void put_reference(writer *w, int32_t made) {
    wire_put_u8(w, (uint8_t)interpreter_reference_type(state, made));
    wire_put_u64(w, (uint64_t)(uintptr_t)interpreter_reference_identity(state, made));
}

// Keeps a new reference in the slot that was asked for.
static void reply_reference(lb_status status, uint32_t slot, int32_t made) {
    writer w = begin_reply(status);
    if (status == LB_OK) {
        keep(slot, made);
        put_reference(&w, made);
    }
    end_reply(&w);
}

static void reply_value(lb_status status, const lb_value *value) {
    writer w = begin_reply(status);
    if (status == LB_OK) wire_put_value(&w, value);
    end_reply(&w);
}

// A value that was read raw: what is no scalar has a reference.
static void put_field(writer *w, const lb_value *value, uint32_t slot) {
    wire_put_value(w, value);
    if (value->reference == 0) return;
    keep(slot, value->reference);
    wire_put_u64(w, (uint64_t)(uintptr_t)interpreter_reference_identity(state, value->reference));
}

static void reply_field(lb_status status, const lb_value *value, uint32_t slot) {
    writer w = begin_reply(status);
    if (status == LB_OK) put_field(&w, value, slot);
    end_reply(&w);
}

// MARK: Calls

enum { FEW_ARGUMENTS = 8 };

static void call(reader *r, bool changes) {
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
        old.first = wire_get_u64(r);
        old.second = wire_get_u64(r);
    }
    lb_status status =
        changes ? interpreter_call_changing(
            state, function, arguments, (int32_t)count, wants, NULL, 0, &result, &changed)
                : interpreter_call_function(state, function, arguments, (int32_t)count, wants, &result);
    if (arguments != few) free(arguments);
    if (compares && changed.length == old_length && changed.bytes != NULL) {
        wire_sum now = wire_sum_of(changed.bytes, changed.length);
        if (now.first == old.first && now.second == old.second)
            changed = (lb_value){.type = LB_TYPE_NIL};
    }
    writer w = begin_reply(status);
    if (status == LB_OK) {
        wire_put_value(&w, &result);
        if (result.reference != 0) keep(slot, result.reference);
        if (wants & LB_WANT_REFERENCE)
            wire_put_u64(&w, (uint64_t)(uintptr_t)interpreter_reference_identity(state, result.reference));
        if (changes) wire_put_value(&w, &changed);
    }
    end_reply(&w);
}

// MARK: Fields

static void reply_fields(lb_status begun, uint32_t slot) {
    bool over = begun != LB_OK;
    writer w = begin_reply(begun);
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
        wire_put_value(&w, &key);
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

static void open_state(reader *r) {
    lb_configuration configuration;
    const void *bytes = wire_get(r, sizeof configuration);
    if (bytes == NULL) _exit(3);
    memcpy(&configuration, bytes, sizeof configuration);
    frame_limit = wire_frame_limit(&configuration);
    // What Lua takes, at most twice its limit, and the buffers on its way to the host.
    size_t memory = 256 << 20, more;
    if (__builtin_mul_overflow(frame_limit, 4, &more) || __builtin_add_overflow(memory, more, &memory)
        || __builtin_mul_overflow(configuration.memory_limit, 2, &more)
        || __builtin_add_overflow(memory, more, &memory))
        memory = SIZE_MAX;
    (void)stack_room();  // looks into a file, the first time
    const char *problem = wall_raise(wire, memory);
    lb_status status = problem == NULL ? sandbox_open(&configuration, &state) : LB_NO_ISOLATION;
    if (status != LB_OK) {
        writer w;
        wire_begin(&w, &out, TELL_REPLY);
        wire_put_u32(&w, (uint32_t)status);
        wire_put_text(&w, problem, problem == NULL ? 0 : strlen(problem));
        wire_end(&w);
        send_out();
        _exit(0);
    }
    interruption = interrupt_retain(state->limits.interrupt);
}

static void load(reader *r) {
    int32_t made = 0;
    uint32_t slot = wire_get_u32(r);
    lb_text source = wire_get_text(r), chunk = wire_get_text(r);
    lb_status status = reserve_slot(slot) ? LB_OK : LB_MEMORY;
    if (status == LB_OK) status = interpreter_load(state, source.bytes, source.length, chunk.bytes, &made);
    reply_reference(status, slot, made);
}

static void make(reader *r, wire_request request, level *l) {
    int32_t made = 0;
    lb_argument argument;
    uint32_t slot = wire_get_u32(r);
    if (!reserve_slot(slot)) return reply(LB_MEMORY);
    lb_status status = LB_ABSENT;
    switch (request) {
        case ASK_MAKE_REFERENCE:
            get_argument(r, &argument);
            status = interpreter_make_reference(state, &argument, &made);
            break;
        case ASK_MAKE_RECORD: status = interpreter_make_record(state, &made); break;
        case ASK_RETAIN: status = interpreter_retain(state, get_reference(r), &made); break;
        case ASK_MAKE_FUNCTION: {
            int32_t function = (int32_t)wire_get_u32(r);
            status = interpreter_make_function(state, function, wire_get_bool(r), &made);
            break;
        }
        case ASK_MAKE_VIEW: {
            int32_t table = get_reference(r);
            lb_text label = wire_get_text(r);
            bool is_encoded = wire_get_bool(r);
            lb_text bytes = is_encoded ? wire_get_text(r) : (lb_text){NULL, 0};
            status = interpreter_make_view(
                state, table, label.bytes, label.length, bytes.bytes, bytes.length, &made);
            break;
        }
        case ASK_MAKE_TYPE: {
            int32_t methods = get_reference(r);
            lb_text name = wire_get_text(r);
            status = interpreter_make_object_type(state, name.bytes, name.length, methods, &made);
            break;
        }
        case ASK_MAKE_OBJECT: {
            int32_t type = get_reference(r);
            status = interpreter_make_object(state, type, (int64_t)wire_get_u64(r), &made);
            break;
        }
        case ASK_CALL_REFERENCE:
            if (l->call != NULL)
                status = interpreter_call_reference(l->call, (int32_t)wire_get_u32(r), &made);
            break;
        default: break;
    }
    reply_reference(status, slot, made);
}

static void look(reader *r, wire_request request, level *l) {
    lb_value value = {.type = LB_TYPE_NIL};
    lb_location location;
    lb_status status = LB_ABSENT;
    uint32_t slot = 0;
    switch (request) {
        case ASK_ENCODE: reply_value(interpreter_encode(state, get_reference(r), &value), &value); return;
        case ASK_CALL_ENCODE:
            if (l->call != NULL) status = interpreter_call_encode(l->call, (int32_t)wire_get_u32(r), &value);
            reply_value(status, &value);
            return;
        case ASK_CALL_SCALAR:
            if (l->call != NULL) {
                interpreter_call_scalar(l->call, (int32_t)wire_get_u32(r), &value);
                status = LB_OK;
            }
            reply_value(status, &value);
            return;
        case ASK_GET_FIELD:
        case ASK_CALL_FIELD: {
            slot = wire_get_u32(r);
            uint32_t of = wire_get_u32(r);
            lb_text name = wire_get_text(r);
            if (!reserve_slot(slot))
                status = LB_MEMORY;
            else if (request == ASK_GET_FIELD)
                status = interpreter_get_field(state, reference(of), name.bytes, name.length, &value);
            else if (l->call != NULL)
                status = interpreter_call_field(l->call, (int32_t)of, name.bytes, name.length, &value);
            reply_field(status, &value, slot);
            return;
        }
        case ASK_FIELDS:
            slot = wire_get_u32(r);
            reply_fields(interpreter_fields_begin(state, get_reference(r)), slot);
            return;
        case ASK_CALL_FIELDS:
            slot = wire_get_u32(r);
            if (l->call != NULL) status = interpreter_call_fields_begin(l->call, (int32_t)wire_get_u32(r));
            reply_fields(status, slot);
            return;
        case ASK_MORE_FIELDS: reply_fields(LB_OK, wire_get_u32(r)); return;
        default: break;
    }
    if (request == ASK_FUNCTION_LOCATION)
        status = interpreter_function_location(state, get_reference(r), &location);
    else if (l->call != NULL && interpreter_remembered_location(l->call, (int64_t)wire_get_u64(r), &location))
        status = LB_OK;
    writer w = begin_reply(status);
    if (status == LB_OK) wire_put_location(&w, &location);
    end_reply(&w);
}

static void set(reader *r, wire_request request) {
    lb_argument argument;
    int32_t table = get_reference(r);
    bool is_global = request == ASK_SET_FIELD && wire_get_bool(r);
    lb_text name = wire_get_text(r);
    get_argument(r, &argument);
    lb_status status = LB_ABSENT;
    if (request == ASK_OBJECT_SET) {
        if (table != 0) status = interpreter_object_set(state, table, name.bytes, name.length, &argument);
    } else if (is_global || table != 0) {
        status = interpreter_set_field(state, is_global ? 0 : table, name.bytes, name.length, &argument);
    }
    reply(status);
}

// For tests: tries what the wall forbids, and tells if it comes back.
static void try_forbidden(reader *r) {
    uint32_t what = wire_get_u32(r);
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
            send(wire, bytes, sizeof bytes, MSG_NOSIGNAL);
            break;
        }
        default: _exit((int)what);
    }
    reply(LB_OK);
}

static void take_notes(reader *r, level *l) {
    lb_text text = wire_get_text(r);
    reader notes = wire_reader(text.bytes, text.length);
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
static reader serve_level(level *l) {
    for (;;) {
        wire_request request;
        reader r = next_frame(l, &request);
        take_notes(&r, l);
        switch (request) {
            case ASK_ANSWER: return r;
            case ASK_LOAD: load(&r); break;
            case ASK_CALL: call(&r, false); break;
            case ASK_CALL_CHANGING: call(&r, true); break;
            case ASK_MAKE_REFERENCE:
            case ASK_MAKE_RECORD:
            case ASK_RETAIN:
            case ASK_MAKE_FUNCTION:
            case ASK_MAKE_VIEW:
            case ASK_MAKE_TYPE:
            case ASK_MAKE_OBJECT:
            case ASK_CALL_REFERENCE: make(&r, request, l); break;
            case ASK_SET_FIELD:
            case ASK_OBJECT_SET: set(&r, request); break;
            case ASK_COLLECT:
                interpreter_collect_garbage(state);
                reply(LB_OK);
                break;
            case ASK_TRY: try_forbidden(&r); break;
            case ASK_OPEN: _exit(3);
            default: look(&r, request, l); break;
        }
    }
}

// MARK: Callbacks

static level *innermost = &bottom;

// What the host says to what is in `out`.
static reader ask_host(writer *w, lb_call *call) {
    if (w->failed) _exit(3);
    wire_end(w);
    level *l = innermost->next;
    if (l == NULL) {
        l = innermost->next = calloc(1, sizeof(level));
        if (l == NULL) _exit(3);
    }
    level *outer = innermost;
    innermost = l;
    l->call = call;
    send_out();
    reader answer = serve_level(l);
    l->call = NULL;
    innermost = outer;
    return answer;
}

static void put_call_argument(writer *w, const lb_call *call, int32_t index) {
    lb_value value;
    int64_t tag = 0;
    interpreter_call_scalar(call, index, &value);
    // A text that is not carried has no bytes.
    if (value.type == LB_TYPE_STRING && value.length > CARRIED_TEXT) value.bytes = NULL;
    wire_put_value(w, &value);
    wire_put_u64(w, (uint64_t)(uintptr_t)interpreter_call_identity(call, index));
    bool is_object = value.type == LB_TYPE_OBJECT && interpreter_call_object(call, index, &tag);
    wire_put_u8(w, is_object);
    if (is_object) wire_put_u64(w, (uint64_t)tag);
}

static bool run_host_function(void *owner, int32_t function, lb_call *call) {
    (void)owner;
    writer w;
    lb_location location = {NULL, 0, 0};
    int32_t count = call->count;
    int32_t carried = count < CARRIED_ARGUMENTS ? count : CARRIED_ARGUMENTS;
    wire_begin(&w, &out, TELL_CALL);
    wire_put_u32(&w, (uint32_t)function);
    wire_put_u32(&w, (uint32_t)count);
    wire_put_u8(&w, interpreter_call_location(call, &location));
    wire_put_location(&w, &location);
    for (int32_t i = 1; i <= carried; i++) put_call_argument(&w, call, i);
    reader answer = ask_host(&w, call);
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
    writer w;
    wire_begin(&w, &out, TELL_CONFIRM);
    wire_put_u64(&w, (uint64_t)token);
    reader answer = ask_host(&w, NULL);
    return wire_get_bool(&answer);
}

static void print(void *owner, const char *text, size_t length, lb_location location) {
    (void)owner;
    writer w;
    wire_begin(&w, &out, TELL_PRINT);
    wire_put_text(&w, text, length);
    wire_put_location(&w, &location);
    if (w.failed) return;
    wire_end(&w);
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
    wire = socket;
#if defined(M_ARENA_MAX)
    // With one arena malloc asks the kernel for memory alone.
    mallopt(M_ARENA_MAX, 1);
#endif
    take_signals();
    wire_request request;
    reader r = next_frame(&bottom, &request);
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
