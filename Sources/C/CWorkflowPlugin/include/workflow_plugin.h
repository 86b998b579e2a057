// The binary interface of a worker plugin, version 1.
//
// A plugin is a shared library with one symbol, `workflow_plugin_entry`. The plugin gives the host
// a table of workers, and the host gives it a table of functions. Only C types cross the interface,
// and values only in their binary encoding (see workflow_value.h). Every function of the host may
// be called from any thread, at any time, with any `workflow_run`. For a run that has ended or
// never existed, it does nothing and returns WORKFLOW_STOPPED.

#ifndef WORKFLOW_PLUGIN_H
#define WORKFLOW_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define WORKFLOW_PLUGIN_ABI 1u
#define WORKFLOW_PLUGIN_ENTRY "workflow_plugin_entry"

#ifdef __cplusplus
extern "C" {
#endif

// One run of a worker. The number is never reused, so a late call is harmless.
typedef uint64_t workflow_run;

// The host's answers.
enum {
    WORKFLOW_TAKEN = 0,    // done
    WORKFLOW_FULL = 1,     // not taken, too many outputs wait: `wait`, or wait for `room`
    WORKFLOW_STOPPED = 2,  // not taken, the run has ended: release its resources
    WORKFLOW_REFUSED = 3   // not taken, the bytes are not a value: the run has failed
};

// The level of a log line.
enum {
    WORKFLOW_LOG_DEBUG = 0,
    WORKFLOW_LOG_INFO = 1,
    WORKFLOW_LOG_WARNING = 2,
    WORKFLOW_LOG_ERROR = 3
};

// The functions of the host; valid until the process ends. Later versions only append functions.
typedef struct workflow_host {
    uint32_t abi;   // the host's WORKFLOW_PLUGIN_ABI
    uint32_t size;  // the size of this table in bytes

    // Emits an output. Copies its bytes and never blocks.
    int32_t (*emit)(workflow_run run, const void *bytes, size_t count);

    // Blocks the calling thread until an output would be taken or the run has ended.
    int32_t (*wait)(workflow_run run);

    // Ends the run successfully.
    int32_t (*finish)(workflow_run run);

    // Ends the run with an error. `code` is one word such as "timed_out"; `help`, the next step for
    // the user, may be NULL.
    int32_t (*fail)(workflow_run run, const char *code, const char *message, const char *help);

    // Writes a line of `count` bytes of UTF-8 to the session's log.
    int32_t (*log)(workflow_run run, int32_t level, const char *text, size_t count);

    // Checks that the user granted `kind` (such as "http") for `target` (such as "api.example.com",
    // or NULL for any target): WORKFLOW_TAKEN or WORKFLOW_REFUSED. If granted, `resolved` receives
    // the target to use, terminated by a NUL; for a path, the links in it are resolved. If it needs
    // more than `capacity` bytes, the grant is refused. `resolved` may be NULL.
    int32_t (*granted)(
        workflow_run run, const char *kind, const char *target, char *resolved, size_t capacity);

    // Nanoseconds on the session's clock since the run began; -1 after it has ended.
    int64_t (*now)(workflow_run run);

    // Blocks the thread until the time has passed on the session's clock or the run ended.
    int32_t (*sleep)(workflow_run run, int64_t nanoseconds);

    // Calls `woken` with `token` after this time on the session's clock. Never blocks.
    int32_t (*wake)(workflow_run run, int64_t nanoseconds, uint64_t token);

    // Writes a record that identifies the run to `value`: `text`, `session`, `step`, `node`,
    // `name`, `key`, `started` (milliseconds since 1970) and `attempt`. For a run that continues
    // after its session was closed, it also has `ran` and `paused`, the milliseconds that the run
    // was active and inactive since its first start, and `last_pause`, the part of `paused` since
    // the session was last closed. `text` is the same for each attempt. Returns the record's size
    // in bytes, and writes nothing if that exceeds `capacity`; -1 if there is no record. A later
    // addition: present only if `size` covers it.
    int64_t (*identity)(workflow_run run, void *value, size_t capacity);

    // Takes back the calls of `wake` with `token`: `woken` is not called for those whose time has
    // not passed. A later addition: present only if `size` covers it.
    int32_t (*forget)(workflow_run run, uint64_t token);
} workflow_host;

// One worker. The host calls it on its own threads, for different runs concurrently.
typedef struct workflow_worker {
    const char *name;     // such as "greeter.greet"
    const char *summary;  // one line
    const char *input;    // a type, such as "{ name: string, times?: integer }"
    const char *output;   // a type, such as "string"
    const char *needs;    // grants, such as "http={url}, file.read={path}"; NULL for none
    void *context;        // passed to the functions below

    // Starts a run. The input is valid during the call only; it is one value of the type above. The
    // call may last as long as the work, because it has a thread of its own. At most 4,096 such
    // calls run at a time; further runs wait for their start. Each run must call `finish` or
    // `fail`, even after it was cancelled.
    void (*start)(void *context, workflow_run run, const void *input, size_t count);

    // Asks a run to end soon. Its outputs are no longer taken. May be called after the end.
    void (*cancel)(void *context, workflow_run run);

    // Called once after WORKFLOW_FULL, when outputs are taken again; may be NULL.
    void (*room)(void *context, workflow_run run);

    // Called when the time of `wake` has passed; may be NULL.
    void (*woken)(void *context, workflow_run run, uint64_t token);
} workflow_worker;

// The plugin's table for the host; valid until the process ends.
typedef struct workflow_plugin {
    uint32_t abi;           // WORKFLOW_PLUGIN_ABI
    uint32_t size;          // sizeof(workflow_plugin)
    uint32_t worker_size;   // sizeof(workflow_worker)
    uint32_t worker_count;  // number of entries in `workers`
    const char *name;       // such as "greeter"
    const char *version;    // such as "1.0.0"
    const workflow_worker *workers;
} workflow_plugin;

// The only symbol of a plugin, called once. NULL if the plugin cannot work with this host.
const workflow_plugin *workflow_plugin_entry(const workflow_host *host);

#ifdef __cplusplus
}
#endif

#endif
