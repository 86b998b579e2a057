// Where the code of a source text begins. Files of some editors start with a byte order mark, and scripts for a
// shell with a line that begins with '#': both are skipped, as by luaL_loadfile.

#include "internal.h"

#include <string.h>

size_t lb_mark_length(const void *source, size_t length) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t size = sizeof(mark) - 1;
    return length >= size && memcmp(source, mark, size) == 0 ? size : 0;
}

const char *source_code(const char *source, size_t *length) {
    size_t start = lb_mark_length(source, *length);
    if (start < *length && source[start] == '#') {
        // The line's end stays, so that lines still count.
        while (start < *length && source[start] != '\n' && source[start] != '\r') start++;
    }
    if (start == 0) return source;
    *length -= start;
    return source + start;
}
