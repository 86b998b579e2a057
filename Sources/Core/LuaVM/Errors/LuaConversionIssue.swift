import CLuaBridge
import PlainValue

/// The reason why a Lua value is not a plain value.
public enum LuaConversionIssue: Sendable, Hashable {
    /// It is of a type that has no plain form.
    case type(LuaType)
    /// It is a table with a metatable.
    case metatable
    /// It is a table that contains itself.
    case cycle
    /// It is a list that also has a named field.
    case mixed(field: String)
    /// It is a list that lacks an element.
    case hole(index: Int)
    /// A key is a whole number below 1.
    case index(Int)
    /// A key is a fraction or an infinity.
    case floatKey(Double)
    /// A key is of a type that cannot be one.
    case keyType(LuaType)
    /// It is not a number.
    case nan
    /// It is infinite.
    case infinity
    /// It is a string that is not UTF-8.
    case text
    /// A key is a string that is not UTF-8.
    case keyText
    /// It is nested too deeply.
    case depth(limit: Int)
    /// The whole value has too many parts.
    case count(limit: Int)
    /// The whole value takes too many bytes.
    case size(limit: Int)
    /// A value inside it is not plain; the whole value is too large to search for it.
    case inside

    /// The end of the sentence that begins with the path.
    public var message: String {
        switch self {
        case .type(let type): "\(type.article) \(type.name) is not a plain value"
        case .metatable: "a table with a metatable is not a plain value"
        case .cycle: "the table contains itself"
        case .mixed(let field): "a list cannot have the named field '\(field)'"
        case .hole(let index): "the list has no element \(index), but later ones"
        case .index(let index): "a table's keys are names or 1…n, not \(index)"
        case .floatKey(let key): "a table's keys are names or 1…n, not \(key)"
        case .keyType(let type): "a table's keys are names or 1…n, not \(type.article) \(type.name)"
        case .nan: "a number that is not a number (0/0) is not a plain value"
        case .infinity: "an infinite number is not a plain value"
        case .text: "the string is not valid UTF-8"
        case .keyText: "a key is not valid UTF-8"
        case .depth(let limit): "the value is nested deeper than \(limit) tables"
        case .count(let limit): "the value has more than \(limit) parts"
        case .size(let limit): "the value takes more than \(limit) bytes"
        case .inside: "something inside is not a plain value"
        }
    }
}

extension LuaType {
    fileprivate var article: String { self == .object ? "an" : "a" }
}

extension LuaConversionIssue {
    /// `nil` if there was not enough memory.
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
