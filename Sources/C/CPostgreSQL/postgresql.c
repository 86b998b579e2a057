#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// The declarations above are held against its headers if these are installed.
#if defined(__has_include)
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
// Enumerations are passed as int.
_Static_assert(sizeof(ConnStatusType) == sizeof(int), "the size of an enumeration");
_Static_assert(sizeof(Oid) == sizeof(unsigned), "the size of the number of a type");
_Static_assert(CONNECTION_OK == (int)PQ_CONNECTION_OK, "libpq's numbers");
_Static_assert(PGRES_COMMAND_OK == (int)PQ_COMMAND_OK, "libpq's numbers");
_Static_assert(PGRES_TUPLES_OK == (int)PQ_TUPLES_OK, "libpq's numbers");
_Static_assert(PQTRANS_IDLE == (int)PQ_TRANSACTION_IDLE, "libpq's numbers");
_Static_assert(PG_DIAG_SQLSTATE == PQ_FIELD_SQLSTATE, "libpq's numbers");
_Static_assert(PG_DIAG_MESSAGE_PRIMARY == PQ_FIELD_MESSAGE, "libpq's numbers");
#define PQ_SAME(name, type) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(PQ##name), type), #name)
PQ_SAME(connectdbParams, PGconn *(const char *const *, const char *const *, int));
PQ_SAME(errorMessage, char *(const PGconn *));
PQ_SAME(serverVersion, int(const PGconn *));
PQ_SAME(parameterStatus, const char *(const PGconn *, const char *));
PQ_SAME(setNoticeProcessor, PQnoticeProcessor(PGconn *, PQnoticeProcessor, void *));
PQ_SAME(finish, void(PGconn *));
PQ_SAME(exec, PGresult *(PGconn *, const char *));
PQ_SAME(prepare, PGresult *(PGconn *, const char *, const char *, int, const Oid *));
PQ_SAME(
    execPrepared,
    PGresult *(PGconn *, const char *, int, const char *const *, const int *, const int *, int));
PQ_SAME(
    execParams,
    PGresult *(
        PGconn *, const char *, int, const Oid *, const char *const *, const int *, const int *,
        int));
PQ_SAME(resultErrorField, char *(const PGresult *, int));
PQ_SAME(ntuples, int(const PGresult *));
PQ_SAME(fname, char *(const PGresult *, int));
PQ_SAME(getvalue, char *(const PGresult *, int, int));
PQ_SAME(getlength, int(const PGresult *, int, int));
PQ_SAME(getisnull, int(const PGresult *, int, int));
PQ_SAME(clear, void(PGresult *));
#endif
#endif

#define PQ_POINTER(result, name, parameters, arguments) static result(*loaded_##name) parameters;
PQ_FUNCTIONS(PQ_POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
#ifdef __APPLE__
    static const char *const names[] = {
        "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
        "/usr/local/opt/libpq/lib/libpq.5.dylib"};
#else
    static const char *const names[] = {"libpq.so.5"};
#endif
    void *library = NULL;
    for (size_t place = 0; !library && place < sizeof names / sizeof *names; place++)
        library = dlopen(names[place], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        failure = "libpq, PostgreSQL's library for clients, is not installed";
        return;
    }
    // POSIX lets a pointer to data become one to a function.
#define PQ_LOAD(result, name, parameters, arguments) \
    *(void **)&loaded_##name = dlsym(library, "PQ" #name); \
    if (!loaded_##name) failure = "libpq lacks the function PQ" #name;
    PQ_FUNCTIONS(PQ_LOAD)
}

const char *workflow_pq_load(void) {
    pthread_once(&once, load);
    return failure;
}

#define PQ_DEFINE(result, name, parameters, arguments) \
    result workflow_pq_##name parameters { return loaded_##name arguments; }
PQ_FUNCTIONS(PQ_DEFINE)
