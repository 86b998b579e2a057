#ifndef LB_CORE_DESCRIBE_BYTES_H
#define LB_CORE_DESCRIBE_BYTES_H

#include "core/writer.h"

// The value that an encoding stands for; its end.
const unsigned char *put_encoded(writer *w, const unsigned char *from, int depth);
// An encoded value in few characters. Returns their number.
size_t describe_encoded(const void *encoding, char *text, size_t capacity);

#endif
