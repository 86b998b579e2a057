// Validates UTF-8 by the table of the Unicode standard: no surrogates, no overlong forms.

#include "core/core.h"

size_t lb_utf8_valid_prefix(const unsigned char *bytes, size_t length) {
    size_t i = 0;
    while (i < length) {
        unsigned char c = bytes[i], low = 0x80, high = 0xbf;
        if (c < 0x80) {
            i++;
            continue;
        }
        size_t more = c >= 0xc2 && c <= 0xdf ? 1 : c >= 0xe0 && c <= 0xef ? 2
            : c >= 0xf0 && c <= 0xf4         ? 3
                                             : 0;
        if (c == 0xe0) low = 0xa0;
        if (c == 0xed) high = 0x9f;
        if (c == 0xf0) low = 0x90;
        if (c == 0xf4) high = 0x8f;
        if (more == 0 || length - i <= more) return i;
        if (bytes[i + 1] < low || bytes[i + 1] > high) return i;
        for (size_t k = 2; k <= more; k++)
            if (bytes[i + k] < 0x80 || bytes[i + k] > 0xbf) return i;
        i += more + 1;
    }
    return i;
}
