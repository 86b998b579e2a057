import CLuaBridge
import PlainValue

extension LuaConversionIssue {
    /// Nil when there was not enough memory.
    init?(_ issue: lb_issue, _ limits: ValueLimits) {
        switch issue.kind {
        case LB_ISSUE_TYPE: self = .type(LuaType(issue.type))
        case LB_ISSUE_METATABLE: self = .metatable
        case LB_ISSUE_CYCLE: self = .cycle
        case LB_ISSUE_MIXED: self = .mixed(field: String(issue.text))
        case LB_ISSUE_HOLE: self = .hole(index: Int(issue.integer))
        case LB_ISSUE_INDEX: self = .index(Int(issue.integer))
        case LB_ISSUE_FLOAT_KEY: self = .floatKey(issue.number)
        case LB_ISSUE_KEY: self = .keyType(LuaType(issue.type))
        case LB_ISSUE_NAN: self = .nan
        case LB_ISSUE_INFINITY: self = .infinity
        case LB_ISSUE_TEXT: self = .text
        case LB_ISSUE_KEY_TEXT: self = .keyText
        case LB_ISSUE_DEPTH: self = .depth(limit: limits.depth)
        case LB_ISSUE_COUNT: self = .count(limit: limits.count)
        case LB_ISSUE_SIZE: self = .size(limit: limits.byteCount)
        case LB_ISSUE_INSIDE: self = .inside
        default: return nil
        }
    }
}
