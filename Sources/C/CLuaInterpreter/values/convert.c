// The plain value for the host, or why there is none.

#include "operations.h"
#include "values/values.h"

lb_status lb_encode_top(lb_state *b, lb_value *value) {
    const void *ancestors[MAXIMUM_VALUE_DEPTH];
    if (lua_type(b->core.main, -1) == LUA_TTABLE) {
        *value = (lb_value){.type = LB_TYPE_TABLE};
    } else {
        lb_scalar_at(b, b->core.main, -1, value);
        if (value->type <= LB_TYPE_INTEGER) return LB_OK;
    }
    buffer_trim(&b->values.encoding);
    buffer_trim(&b->values.scratch);
    lb_issue_kind issue = lb_encode_at(b, ancestors, 0);
    if (issue != LB_ISSUE_NONE && !b->limits.stop) lb_diagnose(b, issue, ancestors);
    if (issue != LB_ISSUE_NONE) return b->limits.stop ? lb_budget_status(b) : LB_CONVERSION;
    // The bytes of a string are taken from the encoding, which stays when the string is collected.
    size_t head = value->type != LB_TYPE_STRING ? 0 : string_head(value->length);
    value->bytes = b->values.encoding.bytes + head;
    value->length = b->values.encoding.length - head;
    value->is_large = b->values.met_large;
    value->has_strangers = b->values.met_view;
    return LB_OK;
}

lb_status lb_interpreter_encode(lb_state *b, int32_t reference, lb_value *value) {
    STACK(b->core.main, 0, nothing);
    if (b->protection.depth++ == 0) lb_outermost_begin(b);
    reference_push(b->core.main, reference);
    lb_status status = lb_encode_top(b, value);
    if (status == LB_OK && met_strangers(b, reference)) value->has_strangers = true;
    lua_pop(b->core.main, 1);
    if (--b->protection.depth == 0) lb_outermost_end(b);
    return status;
}
