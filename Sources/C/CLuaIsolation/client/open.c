// Opens, restarts and closes an isolated state.

#include "client/client.h"

#if defined(__linux__)

#include <stdio.h>
#include <stdlib.h>

static _Thread_local const char *problem = "";

const char *lb_client_problem(void) { return problem; }

static lb_status refuse_isolation(const char *why) {
    static _Thread_local char problem_text[160];
    snprintf(problem_text, sizeof problem_text, "%s", why);
    problem = problem_text;
    return LB_NO_ISOLATION;
}

// Requests a state from the new process, and learns how strong its wall is.
static lb_status open_child(lb_state *b) {
    remote *r = b->remote;
    const char *why = r->child.socket >= 0 ? NULL : lb_scripts_start(&r->child);
    if (why != NULL) return refuse_isolation(why);
    r->gone = false;
    lb_configuration configuration = b->core.configuration;
    configuration.isolated = false;
    configuration.validate = NULL;
    wire answer;
    // Notes need a state; the process reads none with this request.
    buffer notes = r->notes;
    r->notes = (buffer){NULL, 0, 0};
    wire w = lb_frame_begin(&r->out, ASK_OPEN);
    lb_wire_bytes(&w, &configuration, sizeof configuration);
    lb_status status = lb_client_ask(b, &w, ASK_OPEN, &answer);
    r->notes = notes;
    if (status == LB_NO_ISOLATION) {
        lb_text text = lb_wire_get_text(&answer);
        char known[120];
        snprintf(known, sizeof known, "%.*s", (int)text.length, text.bytes);
        lb_client_lose(b, known);
        return refuse_isolation(known);
    }
    if (status == LB_OK) status = lb_client_finish(b, &answer);
    if (status == LB_GONE) return refuse_isolation(r->reason);
    if (status != LB_OK) lb_client_lose(b, "it has no memory for a state");
    return status;
}

static void free_level(remote_level *l) {
    free(l->in.bytes);
    free(l->answer.bytes);
    free(l->call.arguments);
}

void lb_client_close(lb_state *b) {
    remote *r = b->remote;
    lb_client_lose(b, "it was closed");
    lb_interrupt_close(b->limits.interrupt);
    free_level(&r->bottom);
    for (remote_level *l = r->bottom.next; l != NULL;) {
        remote_level *next = l->next;
        free_level(l);
        free(l);
        l = next;
    }
    free(r->slots);
    free(r->alive);
    free(r->dead);
    free(r->nexts);
    free(r->out.bytes);
    free(r->notes.bytes);
    free(r);
    free(b);
}

lb_status lb_client_open(const lb_configuration *configuration, int socket, lb_state **state) {
    *state = NULL;
    lb_state *b = calloc(1, sizeof(lb_state));
    remote *r = calloc(1, sizeof(remote));
    if (b != NULL) {
        b->remote = r;
        b->core.configuration = *configuration;
        b->limits.interrupt = lb_interrupt_open_waking();
        error_begin(b);
    }
    if (b == NULL || r == NULL || b->limits.interrupt == NULL) {
        child unused = child_none(socket);
        lb_child_end(&unused, NULL);
        if (b != NULL) lb_interrupt_close(b->limits.interrupt);
        free(b);
        free(r);
        return LB_MEMORY;
    }
    r->child = child_none(socket);
    r->run = lb_client_run;
    r->tell = lb_client_tell;
    r->innermost = &r->bottom;
    r->frame_limit = lb_frame_limit_of(configuration);
    r->generation = 1;
    r->gone = true;
    lb_status status = open_child(b);
    if (status == LB_OK)
        *state = b;
    else
        lb_client_close(b);
    return status;
}

lb_status lb_client_restart(lb_state *b) {
    remote *r = b->remote;
    if (r->nesting > 0) return LB_DEPTH;
    uint64_t random[4];
    memcpy(random, b->sandbox.random, sizeof random);
    lb_client_lose(b, "it was replaced");
    lb_slots_forget(r);
    lb_client_forget_trace(b);
    r->notes.length = 0;
    r->ahead.start = r->ahead.end = 0;
    r->innermost = &r->bottom;
    r->generation++;
    lb_status status = open_child(b);
    memcpy(b->sandbox.random, random, sizeof random);
    if (status == LB_OK) lb_client_set_random(b);
    return status;
}

#endif
