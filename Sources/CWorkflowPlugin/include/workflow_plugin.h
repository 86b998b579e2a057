/* The binary interface of a worker plugin, version 1.
 *
 * A plugin is a shared library with one symbol, `workflow_plugin_entry`. It gives the host a table of workers; the
 * host gives it a table of functions. Nothing but C types crosses, and values only in their binary encoding
 * (see workflow_value.h). Every function of the host may be called from any thread, at any time, with any
 * `workflow_run`: for one that is over or never was, it answers WORKFLOW_STOPPED and does nothing. */

#ifndef WORKFLOW_PLUGIN_H
#define WORKFLOW_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define WORKFLOW_PLUGIN_ABI 1u
#define WORKFLOW_PLUGIN_ENTRY "workflow_plugin_entry"

#ifdef __cplusplus
extern "C" {
#endif

/* One run of a worker. A number, never reused, so that a late call can do no harm. */
typedef uint64_t workflow_run;

/* What the host answers. */
enum {
    WORKFLOW_TAKEN = 0,   /* done */
    WORKFLOW_FULL = 1,    /* not taken, too many outputs wait: call `wait`, or wait for `room`, then again */
    WORKFLOW_STOPPED = 2, /* not taken, the run is over: release what it holds */
    WORKFLOW_REFUSED = 3  /* not taken, the bytes are no value: the run has failed */
};

/* How important a line of the log is. */
enum {
    WORKFLOW_LOG_DEBUG = 0,
    WORKFLOW_LOG_INFO = 1,
    WORKFLOW_LOG_WARNING = 2,
    WORKFLOW_LOG_ERROR = 3
};

/* The functions of the host; valid until the process ends. Later versions only add to the end. */
typedef struct workflow_host {
    uint32_t abi;  /* WORKFLOW_PLUGIN_ABI of the host */
    uint32_t size; /* bytes of this table */

    /* Gives one output, copying its bytes. Never blocks. */
    int32_t (*emit)(workflow_run run, const void *bytes, size_t count);

    /* Blocks the calling thread until an output would be taken, or the run is over. */
    int32_t (*wait)(workflow_run run);

    /* Ends the run well. */
    int32_t (*finish)(workflow_run run);

    /* Ends the run with an error. `code` is one word such as "timed_out"; `help`, the next step to take, may be NULL. */
    int32_t (*fail)(workflow_run run, const char *code, const char *message, const char *help);

    /* Writes a line of `count` bytes of UTF-8 to the log of the session. */
    int32_t (*log)(workflow_run run, int32_t level, const char *text, size_t count);

    /* Whether the user granted `kind` (such as "http") for `target` (such as "api.example.com", or NULL for any):
     * WORKFLOW_TAKEN or WORKFLOW_REFUSED. Where it is granted, `resolved` receives the target to use, for a path the
     * one without links, with a final NUL; more than `capacity` bytes are refused. It may be NULL. */
    int32_t (*granted)(
        workflow_run run, const char *kind, const char *target, char *resolved, size_t capacity);

    /* Nanoseconds on the clock of the session since the run began, -1 when it is over. */
    int64_t (*now)(workflow_run run);

    /* Blocks the calling thread until time has passed on the clock of the session, or the run is over. */
    int32_t (*sleep)(workflow_run run, int64_t nanoseconds);

    /* Calls `woken` of the worker with `token` once time has passed on the clock of the session. Never blocks. */
    int32_t (*wake)(workflow_run run, int64_t nanoseconds, uint64_t token);

    /* Writes a record that tells which run it is to `value`: `text`, `session`, `step`, `node`, `name`, `key`, `started`
     * (milliseconds since 1970) and `attempt`; and, of a run that goes on after its session was closed, `ran` and
     * `paused`, how many milliseconds it was at work and was not. `text` is the same for each attempt. Returns the bytes
     * that it takes, and writes nothing if they are more than `capacity`; -1 if there is nothing to tell. Added later:
     * it is there if `size` reaches to its end. */
    int64_t (*identity)(workflow_run run, void *value, size_t capacity);
} workflow_host;

/* One worker. The host calls its functions on threads of its own, from several at once for different runs. */
typedef struct workflow_worker {
    const char *name;    /* such as "greeter.greet" */
    const char *summary; /* one line */
    const char *input;   /* a type, such as "{ name: string, times?: integer }" */
    const char *output;  /* a type, such as "string" */
    const char *needs;   /* grants, such as "http={url}, file.read={path}"; NULL for none */
    void *context;       /* handed to the functions below */

    /* Begins a run. The input is valid during the call only; it is one value that fits the type above. The call
     * may last as long as the work does, as it has its thread to itself. Each run must come to `finish` or
     * `fail`, whether cancelled or not. */
    void (*start)(void *context, workflow_run run, const void *input, size_t count);

    /* Asks a run to end soon; nothing that it emits is taken any more. May come after the run has ended. */
    void (*cancel)(void *context, workflow_run run);

    /* Says that outputs are taken again, once after WORKFLOW_FULL; may be NULL. */
    void (*room)(void *context, workflow_run run);

    /* Says that the time of `wake` has passed; may be NULL. */
    void (*woken)(void *context, workflow_run run, uint64_t token);
} workflow_worker;

/* What a plugin gives the host; valid until the process ends. */
typedef struct workflow_plugin {
    uint32_t abi;          /* WORKFLOW_PLUGIN_ABI */
    uint32_t size;         /* sizeof(workflow_plugin) */
    uint32_t worker_size;  /* sizeof(workflow_worker) */
    uint32_t worker_count; /* entries at `workers` */
    const char *name;      /* such as "greeter" */
    const char *version;   /* such as "1.0.0" */
    const workflow_worker *workers;
} workflow_plugin;

/* The one symbol of a plugin, called once. NULL says that the plugin cannot work with this host. */
const workflow_plugin *workflow_plugin_entry(const workflow_host *host);

#ifdef __cplusplus
}
#endif

#endif
