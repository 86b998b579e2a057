/* Workers that misbehave in various ways. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "workflow_plugin.h"
#include "workflow_value.h"

static const workflow_host *host;
static _Atomic workflow_run cancelled_run;
static _Atomic long refused, taken_late;

static void emit_int(workflow_run run, int64_t number) {
    uint8_t bytes[9];
    size_t size = workflow_write_int(bytes, number);
    while (host->emit(run, bytes, size) == WORKFLOW_FULL) host->wait(run);
}

/* Emits without pause, never waiting for room, until it is stopped. */
static void flood(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    uint8_t bytes[9];
    for (int64_t i = 0;; i++) {
        size_t size = workflow_write_int(bytes, i);
        int32_t answer = host->emit(run, bytes, size);
        if (answer == WORKFLOW_STOPPED) break;
        if (answer == WORKFLOW_FULL) refused++;
    }
    host->finish(run);
}

/* Emits `count` numbers, waiting for room. */
static void numbers(void *context, workflow_run run, const void *input, size_t size) {
    (void)context, (void)size;
    int64_t count = 0;
    workflow_read_int(workflow_find(input, "count"), &count);
    for (int64_t i = 0; i < count; i++) emit_int(run, i);
    host->finish(run);
}

struct part {
    workflow_run run;
    int64_t first;
    pthread_t thread;
};

static void *emit_part(void *argument) {
    struct part *part = argument;
    for (int64_t i = 0; i < 1000; i++) emit_int(part->run, part->first + i);
    return NULL;
}

/* Emits 8000 numbers from eight threads at once. */
static void threads(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    struct part parts[8];
    for (int i = 0; i < 8; i++) {
        parts[i] = (struct part){.run = run, .first = i * 1000};
        pthread_create(&parts[i].thread, NULL, emit_part, &parts[i]);
    }
    for (int i = 0; i < 8; i++) pthread_join(parts[i].thread, NULL);
    host->finish(run);
}

/* Emits bytes that are not a value. */
static void garbage(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    emit_int(run, 1);
    host->emit(run, "\x0A\xFF\xFF\xFF\xFF\x01\x00\x00\x00", 9);
    emit_int(run, 2);
    host->finish(run);
}

/* Emits bytes at an invalid address. */
static void nowhere(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    host->emit(run, NULL, 5);
    host->finish(run);
}

/* Fails without a message. */
static void mute(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    host->fail(run, NULL, NULL, NULL);
}

static void *emit_late(void *argument) {
    workflow_run run = (workflow_run)(uintptr_t)argument;
    for (int64_t i = 0; i < 100000; i++) {
        uint8_t bytes[9];
        if (host->emit(run, bytes, workflow_write_int(bytes, i)) == WORKFLOW_TAKEN) taken_late++;
    }
    host->log(run, WORKFLOW_LOG_INFO, "late", 4);
    host->fail(run, "late", "late", NULL);
    host->wake(run, 1, 1);
    host->sleep(run, 1000000000000);
    return NULL;
}

/* Emits once, then only after its cancellation: from `cancel`, and from a thread after its end. */
static void late(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    emit_int(run, 1);
}

static void cancel_late(void *context, workflow_run run) {
    (void)context;
    emit_int(run, 2);
    emit_late((void *)(uintptr_t)run);
    host->finish(run);
    host->finish(run);
    pthread_t thread;
    pthread_create(&thread, NULL, emit_late, (void *)(uintptr_t)run);
    pthread_join(thread, NULL);
    cancelled_run = run;
}

/* Emits the number of outputs that were wrongly taken. */
static void report(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    while (cancelled_run == 0) host->sleep(run, 1000000);
    emit_int(run, taken_late);
    host->finish(run);
}

/* Emits once and never ends. */
static void stuck(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    emit_int(run, 1);
}

/* Emits once and blocks its thread. */
static void block(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    emit_int(run, 1);
    while (host->sleep(run, 3600000000000) == WORKFLOW_TAKEN) continue;
    host->finish(run);
}

/* Emits after each of two short sleeps. */
static void naps(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    for (int i = 1; i <= 2; i++) {
        host->sleep(run, 1000000);
        emit_int(run, i);
    }
    host->finish(run);
}

/* Requests a grant and emits the result. */
static void reach(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    char path[4096];
    uint8_t bytes[4096];
    if (host->granted(run, "file.read", "/proc/self/root/etc", path, sizeof path) != WORKFLOW_TAKEN) {
        host->fail(run, "not_granted", "it was denied", NULL);
        return;
    }
    host->emit(run, bytes, workflow_write_string(bytes, sizeof bytes, path, strlen(path)));
    host->finish(run);
}

/* Emits the identity of the run, after asking with too small a buffer. */
static void identity(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    uint8_t bytes[4096];
    int64_t needed = host->identity(run, NULL, 0);
    if (needed < 0 || host->identity(run, bytes, sizeof bytes) != needed) {
        host->fail(run, "nobody", "it is nobody", NULL);
        return;
    }
    host->emit(run, bytes, (size_t)needed);
    host->finish(run);
}

/* Waits a second on the session's clock with a callback, then ends. */
static void callback(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    host->wake(run, 1000000000, 42);
}

/* Asks 10,000 times to be called back in an hour, takes that back, and emits once. */
static void forgets(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)input, (void)count;
    for (uint64_t token = 1; token <= 10000; token++) {
        host->wake(run, 3600000000000, token);
        host->forget(run, token);
    }
    emit_int(run, host->forget(run, 10001));
}

static void woken(void *context, workflow_run run, uint64_t token) {
    (void)context;
    emit_int(run, (int64_t)token);
    host->finish(run);
}

static void cancel(void *context, workflow_run run) {
    (void)context;
    host->finish(run);
}

static void ignore(void *context, workflow_run run) { (void)context, (void)run; }

#define WORKER(function, in, stop) \
    {.name = "faulty." #function, .summary = #function, .input = in, .output = "any", \
     .start = function, .cancel = stop, .woken = woken}

static const workflow_worker workers[] = {
    WORKER(flood, "{}", ignore),    WORKER(numbers, "{ count: integer }", ignore),
    WORKER(threads, "{}", ignore),  WORKER(garbage, "{}", ignore),
    WORKER(late, "{}", cancel_late), WORKER(report, "{}", ignore),
    WORKER(stuck, "{}", ignore),    WORKER(block, "{}", ignore),
    WORKER(reach, "{}", ignore),    WORKER(callback, "{}", cancel),
    WORKER(identity, "{}", ignore), WORKER(naps, "{}", ignore),
    WORKER(nowhere, "{}", ignore),  WORKER(mute, "{}", ignore),
    WORKER(forgets, "{}", cancel),
};

static const workflow_plugin plugin = {
    .abi = WORKFLOW_PLUGIN_ABI, .size = sizeof(workflow_plugin),
    .worker_size = sizeof(workflow_worker), .worker_count = sizeof workers / sizeof *workers,
    .name = "faulty", .version = "0.0.1", .workers = workers,
};

const workflow_plugin *workflow_plugin_entry(const workflow_host *table) {
    host = table;
    return &plugin;
}
