// The socket to the host.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

server_process lb_server;

static void receive_all(unsigned char *to, size_t length) {
    static read_ahead ahead;
    while (length > 0) {
        ssize_t count = lb_receive(lb_server.connection, &ahead, to, length, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        to += count;
        length -= (size_t)count;
    }
}

void lb_send_out(void) {
    const unsigned char *from = lb_server.out.bytes;
    size_t length = lb_server.out.length;
    while (length > 0) {
        ssize_t count = send(lb_server.connection, from, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) _exit(0);
        from += count;
        length -= (size_t)count;
    }
}

wire lb_next_frame(level *l, wire_request *request) {
    uint32_t length;
    receive_all((unsigned char *)&length, 4);
    buffer_trim(&l->in);
    // Without memory for the host's request, no reply is possible.
    if (length == 0 || !buffer_reserve(&l->in, length)) _exit(3);
    receive_all(l->in.bytes, length);
    *request = (wire_request)l->in.bytes[0];
    return wire_reader(l->in.bytes + 1, length - 1);
}

#endif
