// A short text of an encoded value. A table that no script has read need not be made for it.

#include "core/describe_bytes.h"
#include "core/wire.h"

static void put_container(writer *w, const unsigned char *from, int depth) {
    bool is_list = from[0] == TAG_LIST;
    uint32_t count = container_count(from);
    if (!is_written_out(w, count, depth)) {
        lb_put_count(w, count, false, is_list);
        return;
    }
    lb_put(w, "{ ", 2);
    from += HEADER;
    for (uint32_t i = 0; i < count && i < (uint32_t)w->shown && !w->full; i++) {
        if (i > 0) lb_put(w, ", ", 2);
        if (!is_list) {
            lb_put_name(w, (const char *)string_bytes(from), string_length(from));
            from = string_end(from);
        }
        lb_put_encoded(w, from, depth + 1);
        from = value_end(from);
    }
    if (count > (uint32_t)w->shown) lb_put(w, ", …", 5);
    lb_put(w, " }", 2);
}

void lb_put_encoded(writer *w, const unsigned char *from, int depth) {
    switch (from[0]) {
        case TAG_NULL: lb_put(w, "null", 4); break;
        case TAG_FALSE: lb_put(w, "false", 5); break;
        case TAG_TRUE: lb_put(w, "true", 4); break;
        case TAG_INT8:
        case TAG_INT32:
        case TAG_INT64: lb_put_integer(w, integer_of(from)); break;
        case TAG_DOUBLE: lb_put_number(w, double_of(from)); break;
        case TAG_SHORT_STRING:
        case TAG_STRING:
            lb_put_string(w, (const char *)string_bytes(from), string_length(from));
            break;
        default: put_container(w, from, depth);
    }
}

size_t lb_describe_encoded(const void *encoding, char *text, size_t capacity) {
    writer w = writer_on(text, capacity);
    while (lb_writer_tries(&w)) lb_put_encoded(&w, encoding, 0);
    return lb_writer_end(&w);
}
