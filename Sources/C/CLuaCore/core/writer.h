// Writes a short text of a value into a fixed block. One that does not fit is written less deep.

#ifndef LB_CORE_WRITER_H
#define LB_CORE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char *text;
    size_t length, capacity;
    bool full;    // something did not fit
    int deepest;  // deeper tables are shown by their size
    int shown;    // the number of elements or fields to write
    int attempt;
} writer;

enum { OMISSION = 3 };  // bytes of "…"

static inline writer writer_on(char *text, size_t capacity) {
    return (writer){.text = text, .capacity = capacity - OMISSION};
}
// True if the text must be written, for the first time or again.
bool lb_writer_tries(writer *w);
// Returns the length of the text, which is cut if it never fits.
size_t lb_writer_end(writer *w);

// Writes bytes, as many as there is room for.
void lb_put(writer *w, const char *bytes, size_t length);
void lb_put_string(writer *w, const char *bytes, size_t length);
void lb_put_name(writer *w, const char *bytes, size_t length);  // "name = "
void lb_put_integer(writer *w, int64_t integer);
void lb_put_number(writer *w, double number);
// "{ 3 items }"
void lb_put_count(writer *w, size_t count, bool has_more, bool is_list);
// True if a table of this size is written out. Of the outermost table, at least the beginning is.
static inline bool is_written_out(const writer *w, size_t count, int depth) {
    return count > 0 && !w->full && depth < w->deepest
        && (depth == 0 || count <= (size_t)w->shown);
}

#endif
