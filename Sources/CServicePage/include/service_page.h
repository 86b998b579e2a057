#ifndef SERVICE_PAGE_H
#define SERVICE_PAGE_H

#include <stddef.h>

/// A file that the service offers to authors of clients.
typedef struct service_page_file {
    /// Its name, such as `client.js`.
    const char *name;
    const unsigned char *bytes;
    size_t count;
} service_page_file;

/// One file, in the order of their names; `NULL` after the last.
const service_page_file *service_page_file_at(size_t index);

#endif
