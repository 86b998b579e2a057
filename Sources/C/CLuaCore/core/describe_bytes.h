#ifndef LB_CORE_DESCRIBE_BYTES_H
#define LB_CORE_DESCRIBE_BYTES_H

#include "core/writer.h"

// Writes an encoded value that lies at a depth within the outermost one.
void lb_put_encoded(writer *w, const unsigned char *from, int depth);
// A short text of an encoded value. Returns its length.
size_t lb_describe_encoded(const void *encoding, char *text, size_t capacity);

#endif
