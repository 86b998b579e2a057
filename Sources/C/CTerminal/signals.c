// A signal source of libdispatch loses signals on Linux: the thread that a signal interrupts passes
// it on to the thread of all sources, which may not be there yet.

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int entry = -1;

static void write_number(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe has signals enough.
    ssize_t written = write(entry, &byte, 1);
    (void)written;
    errno = saved;
}

int workflow_signals_open(void) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int end = 0; end < 2; end++) {
        fcntl(ends[end], F_SETFD, FD_CLOEXEC);
        fcntl(ends[end], F_SETFL, O_NONBLOCK);
    }
    entry = ends[1];
    return ends[0];
}

bool workflow_signals_take(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = write_number;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    return sigaction(number, &action, NULL) == 0;
}
