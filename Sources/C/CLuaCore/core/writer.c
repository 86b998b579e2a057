#include "core/writer.h"

#include <inttypes.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

bool lb_writer_tries(writer *w) {
    static const struct {
        int deepest, shown;
    } attempts[] = {{4, 32}, {3, 32}, {2, 32}, {1, 32}, {1, 8}};
    bool fits = w->attempt > 0 && !w->full;
    if (fits || w->attempt == sizeof attempts / sizeof attempts[0]) return false;
    w->deepest = attempts[w->attempt].deepest;
    w->shown = attempts[w->attempt].shown;
    w->attempt++;
    w->length = 0;
    w->full = false;
    return true;
}

size_t lb_writer_end(writer *w) {
    if (!w->full) return w->length;
    // Goes back to the start of a character.
    while (w->length > 0 && ((unsigned char)w->text[w->length - 1] & 0xc0) == 0x80) w->length--;
    if (w->length > 0 && ((unsigned char)w->text[w->length - 1] & 0x80) != 0) w->length--;
    memcpy(w->text + w->length, "…", OMISSION);
    return w->length + OMISSION;
}

void lb_put(writer *w, const char *bytes, size_t length) {
    size_t room = w->capacity - w->length;
    if (length > room) {
        length = room;
        w->full = true;
    }
    memcpy(w->text + w->length, bytes, length);
    w->length += length;
}

void lb_put_string(writer *w, const char *bytes, size_t length) {
    enum { SHOWN = 60 };
    size_t shown = length < SHOWN ? length : SHOWN;
    while (shown < length && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80) shown--;
    lb_put(w, "\"", 1);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char escaped[8];
        if (c == '"' || c == '\\') {
            lb_put(w, "\\", 1);
            lb_put(w, bytes + i, 1);
        } else if (c == '\n') {
            lb_put(w, "\\n", 2);
        } else if (c < 0x20 || c == 0x7f) {
            lb_put(w, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%03d", c));
        } else {
            lb_put(w, bytes + i, 1);
        }
    }
    if (shown < length) lb_put(w, "…", 3);
    lb_put(w, "\"", 1);
}

void lb_put_name(writer *w, const char *bytes, size_t length) {
    enum { SHOWN = 40 };
    lb_put(w, bytes, length < SHOWN ? length : SHOWN);
    lb_put(w, " = ", 3);
}

void lb_put_integer(writer *w, int64_t integer) {
    char text[32];
    // Lua reads its decimal digits as a float, and writes it so by `%q`.
    if (integer == INT64_MIN)
        lb_put(w, "0x8000000000000000", 18);
    else
        lb_put(w, text, (size_t)snprintf(text, sizeof text, "%" PRId64, integer));
}

void lb_put_number(writer *w, double number) {
    char text[64];
    int length = snprintf(text, sizeof text, LUA_NUMBER_FMT, number);
    if (text[strspn(text, "-0123456789")] == '\0') length = (int)strlen(strcat(text, ".0"));
    lb_put(w, text, (size_t)length);
}

void lb_put_count(writer *w, size_t count, bool has_more, bool is_list) {
    char text[48];
    if (count == 0) {
        lb_put(w, "{}", 2);
        return;
    }
    int length = snprintf(
        text, sizeof text, "{ %zu%s %s%s }", count, has_more ? "+" : "",
        is_list ? "item" : "field", count == 1 ? "" : "s");
    lb_put(w, text, (size_t)length);
}
