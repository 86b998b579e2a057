// The distance between two names: insertions, deletions and replacements.

#include "internal.h"

enum { LONGEST = 63 };

size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    if (a_length > LONGEST || b_length > LONGEST) return SIZE_MAX;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b_length];
}
