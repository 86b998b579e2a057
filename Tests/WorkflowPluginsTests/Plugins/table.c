/* A plugin whose table is wrong in the way that FAULT selects. */

#include <stdlib.h>
#include <string.h>

#include "workflow_plugin.h"

#ifdef HAS_SWIFT
/* As all code of Swift has it. */
__attribute__((section("swift5_protocols"), used)) static const int protocols = 0;
#endif

static void nothing(void *context, workflow_run run, const void *input, size_t count) {
    (void)context, (void)run, (void)input, (void)count;
}

static void cancel(void *context, workflow_run run) { (void)context, (void)run; }

static workflow_worker worker = {
    .name = "table.nothing", .summary = "Does nothing.", .input = "any", .output = "any",
    .start = nothing, .cancel = cancel};

static workflow_plugin table = {
    .abi = WORKFLOW_PLUGIN_ABI, .size = sizeof(workflow_plugin),
    .worker_size = sizeof(workflow_worker), .worker_count = 1, .name = "table", .version = "1.0.0",
    .workers = &worker};

enum { GOOD, NO_TABLE, VERSION, SMALL, HUGE_SIZE, SMALL_WORKER, MANY, NO_WORKERS, NO_NAME,
       NOT_UTF8, ENDLESS, NO_START, BAD_TYPE, BAD_NAME, BAD_NEEDS, TWICE, NO_VERSION,
       NO_NEEDS, BAD_OUTPUT, BAD_PLUGIN };

const workflow_plugin *workflow_plugin_entry(const workflow_host *host) {
    (void)host;
    static workflow_worker pair[2];
    switch ((int)FAULT) {
    case NO_TABLE: return NULL;
    case VERSION: table.abi = 7; break;
    case SMALL: table.size = 8; break;
    case HUGE_SIZE: table.size = 4000000000u; break;
    case SMALL_WORKER: table.worker_size = 16; break;
    case MANY: table.worker_count = 0xFFFFFFFFu; break;
    case NO_WORKERS: table.workers = NULL; break;
    case NO_NAME: worker.name = NULL; break;
    case NOT_UTF8: worker.summary = "\xFF\xFE"; break;
    case ENDLESS: worker.summary = memset(calloc(200000, 1), 'a', 199999); break;
    case NO_START: worker.start = NULL; break;
    case BAD_TYPE: worker.input = "{ text: str }"; break;
    case BAD_NAME: worker.name = "Nothing"; break;
    case BAD_NEEDS: worker.input = "{ url: string }"; worker.needs = "http={ur}"; break;
    case NO_VERSION: table.version = NULL; break;
    case NO_NEEDS: worker.needs = "\xFF"; break;
    case BAD_OUTPUT: worker.output = "str"; break;
    case BAD_PLUGIN: table.name = "A table"; break;
    case TWICE: pair[0] = pair[1] = worker; table.workers = pair; table.worker_count = 2; break;
    }
    return &table;
}
