// Host values for scripts: views of tables, objects with methods, and functions.

#ifndef LB_OBJECTS_H
#define LB_OBJECTS_H

#include "drafts/drafts.h"

// MARK: views.c
// Pushes a view's table, and decodes it if necessary. [memory]
void lb_view_open(lua_State *L, int index);
// Replaces a table on top, found under the key at `key`, by its view. [memory]
void lb_view_wrap(lua_State *L, int view, int key);
int lb_view_raise_write(lua_State *L, int index);  // never returns
void lb_views_open(lb_state *b);                   // [memory]; runs on the main thread

// MARK: memo.c
enum { OBJECT_MEMO = 1 };  // the user value of an object that holds its memo's anchors

// Pushes the remembered reply to a call whose arguments are on L; false: none, and its place free.
bool lb_memo_reply(lua_State *L, memo *m, int32_t *place);

// MARK: objects.c
// The memo of a usable object; NULL: not a usable object.
memo *lb_object_memo(lua_State *L, int index);
// Pushes a table of an object's fields with values; false: it has none. [memory]
bool lb_object_push_fields(lua_State *L, int index);

// MARK: fields.c; both take the table on top of the main thread. See lb_get_field, lb_fields_begin.
lb_status lb_field_of_top(lb_state *b, const void *name, size_t length, lb_value *value);
lb_status lb_fields_begin_top(lb_state *b);

// MARK: host_functions.c
void lb_host_functions_open(lb_state *b);  // [memory]; runs on the main thread

#endif
