/* A plugin in one C file: `shout.once` shouts a text once, `shout.again` several times. */

#include "workflow_plugin.h"
#include "workflow_value.h"

static const workflow_host *host;

/* Emits one output, and waits if there is no room. False when the run has ended. */
static bool give(workflow_run run, const void *bytes, size_t count) {
    int32_t answer;
    while ((answer = host->emit(run, bytes, count)) == WORKFLOW_FULL) host->wait(run);
    return answer == WORKFLOW_TAKEN;
}

static void shout(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)count;
    size_t length = 0;
    const char *text = workflow_read_string(workflow_find(input, "text"), &length);
    int64_t times = 1;
    workflow_read_int(workflow_find(input, "times"), &times);

    char loud[200];
    if (text == NULL || length > sizeof loud) {
        host->fail(run, "too_long", "the text is too long to shout", "take less than 200 bytes");
        return;
    }
    for (size_t i = 0; i < length; i++)
        loud[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];

    uint8_t output[256];
    size_t size = workflow_write_string(output, sizeof output, loud, length);
    for (int64_t i = 0; i < times && give(run, output, size); i++) continue;
    host->finish(run);
}

/* Nothing to do: `give` notices that the run has ended. */
static void cancel(void *context, workflow_run run) {
    (void)context, (void)run;
}

static const workflow_worker workers[] = {
    {.name = "shout.once", .summary = "Says a text loudly.", .input = "{ text: string }",
     .output = "string", .start = shout, .cancel = cancel},
    {.name = "shout.again", .summary = "Says a text loudly, a number of times.",
     .input = "{ text: string, times: integer }", .output = "string", .start = shout,
     .cancel = cancel},
};

static const workflow_plugin plugin = {
    .abi = WORKFLOW_PLUGIN_ABI, .size = sizeof(workflow_plugin),
    .worker_size = sizeof(workflow_worker), .worker_count = 2, .name = "shout", .version = "1.0.0",
    .workers = workers,
};

const workflow_plugin *workflow_plugin_entry(const workflow_host *table) {
    if (table->abi != WORKFLOW_PLUGIN_ABI) return NULL;
    host = table;
    return &plugin;
}
