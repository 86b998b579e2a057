#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

// PostgreSQL's library for clients, which is looked for when it is first needed.
//
// Nothing is linked with it, so a program starts and is installed without it. The functions are
// those of libpq with workflow_pq_ for PQ, as its documentation describes them
// (https://www.postgresql.org/docs/current/libpq.html). workflow_pq_load must have succeeded.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef void (*PQnoticeProcessor)(void *context, const char *message);

// Loads the library. Thread-safe; repeated calls are cheap.
//
// Returns NULL, or the reason why it cannot be had, which stays valid.
const char *workflow_pq_load(void);

// The values that are used of libpq's enumerations.
enum {
    PQ_CONNECTION_OK = 0,
    PQ_COMMAND_OK = 1,
    PQ_TUPLES_OK = 2,
    PQ_TRANSACTION_IDLE = 0,
    PQ_FIELD_SQLSTATE = 'C',
    PQ_FIELD_MESSAGE = 'M',
};

// The functions: result, name, parameters, arguments.
#define PQ_FUNCTIONS(F) \
    F(PGconn *, connectdbParams, \
      (const char *const *keywords, const char *const *values, int expands_name), \
      (keywords, values, expands_name)) \
    F(int, status, (const PGconn *connection), (connection)) \
    F(int, transactionStatus, (const PGconn *connection), (connection)) \
    F(int, serverVersion, (const PGconn *connection), (connection)) \
    F(char *, errorMessage, (const PGconn *connection), (connection)) \
    F(const char *, parameterStatus, (const PGconn *connection, const char *name), \
      (connection, name)) \
    F(PQnoticeProcessor, setNoticeProcessor, \
      (PGconn *connection, PQnoticeProcessor processor, void *context), \
      (connection, processor, context)) \
    F(void, finish, (PGconn *connection), (connection)) \
    F(PGresult *, exec, (PGconn *connection, const char *query), (connection, query)) \
    F(PGresult *, prepare, \
      (PGconn *connection, const char *name, const char *query, int count, \
       const unsigned *types), \
      (connection, name, query, count, types)) \
    F(PGresult *, execPrepared, \
      (PGconn *connection, const char *name, int count, const char *const *values, \
       const int *lengths, const int *formats, int result_format), \
      (connection, name, count, values, lengths, formats, result_format)) \
    F(PGresult *, execParams, \
      (PGconn *connection, const char *query, int count, const unsigned *types, \
       const char *const *values, const int *lengths, const int *formats, int result_format), \
      (connection, query, count, types, values, lengths, formats, result_format)) \
    F(int, resultStatus, (const PGresult *result), (result)) \
    F(char *, resultErrorField, (const PGresult *result, int field), (result, field)) \
    F(int, ntuples, (const PGresult *result), (result)) \
    F(char *, fname, (const PGresult *result, int column), (result, column)) \
    F(char *, getvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    F(int, getlength, (const PGresult *result, int row, int column), (result, row, column)) \
    F(int, getisnull, (const PGresult *result, int row, int column), (result, row, column)) \
    F(void, clear, (PGresult *result), (result))

#define PQ_DECLARE(result, name, parameters, arguments) result workflow_pq_##name parameters;
PQ_FUNCTIONS(PQ_DECLARE)
#undef PQ_DECLARE

#endif
