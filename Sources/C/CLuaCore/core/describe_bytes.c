// A short text of an encoded value. A table that no script has read need not be made for it.

#include "core/describe_bytes.h"
#include "core/wire.h"

static const unsigned char *put_encoded_string(writer *w, const unsigned char *from) {
    put_string(w, (const char *)string_bytes(from), string_length(from));
    return string_end(from);
}

static const unsigned char *put_container(writer *w, const unsigned char *from, int depth) {
    bool is_list = from[0] == TAG_LIST;
    uint32_t count = container_count(from);
    const unsigned char *end = from + container_size(from);
    if (!is_written_out(w, count, depth)) {
        put_count(w, count, false, is_list);
        return end;
    }
    put(w, "{ ", 2);
    from += HEADER;
    for (uint32_t i = 0; i < count && i < (uint32_t)w->shown && !w->full; i++) {
        if (i > 0) put(w, ", ", 2);
        if (!is_list) {
            put_name(w, (const char *)string_bytes(from), string_length(from));
            from = string_end(from);
        }
        from = put_encoded(w, from, depth + 1);
    }
    if (count > (uint32_t)w->shown) put(w, ", …", 5);
    put(w, " }", 2);
    return end;
}

const unsigned char *put_encoded(writer *w, const unsigned char *from, int depth) {
    int64_t integer;
    double number;
    switch (from[0]) {
        case TAG_NULL: put(w, "null", 4); return from + 1;
        case TAG_FALSE: put(w, "false", 5); return from + 1;
        case TAG_TRUE: put(w, "true", 4); return from + 1;
        case TAG_INT8: put_integer(w, (int8_t)from[1]); return from + 2;
        case TAG_INT32: put_integer(w, (int32_t)get_u32(from + 1)); return from + 5;
        case TAG_INT64:
            memcpy(&integer, from + 1, 8);
            put_integer(w, integer);
            return from + 9;
        case TAG_DOUBLE:
            memcpy(&number, from + 1, 8);
            put_number(w, number);
            return from + 9;
        case TAG_SHORT_STRING:
        case TAG_STRING: return put_encoded_string(w, from);
        default: return put_container(w, from, depth);
    }
}

size_t describe_encoded(const void *encoding, char *text, size_t capacity) {
    writer w = writer_on(text, capacity);
    while (writer_tries(&w)) put_encoded(&w, encoding, 0);
    return writer_end(&w);
}
