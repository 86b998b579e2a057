import CLuaBridge

/// The type of a Lua value.
public enum LuaType: Sendable, Hashable {
    /// Nothing; also an argument that was not passed.
    case `nil`
    /// The explicit null of plain values.
    case null
    /// A truth value.
    case boolean
    /// A whole number.
    case integer
    /// A floating-point number.
    case number
    /// Text, or any bytes.
    case string
    /// A table that scripts can write.
    case table
    /// A read-only view of a table.
    case view
    /// A function, of a script or of the host.
    case function
    /// An object that the host made.
    case object
    /// A coroutine.
    case thread
    /// Any other userdata.
    case userdata

    /// True if it is a table in the eyes of a script: a real one, or a view.
    public var isTable: Bool { self == .table || self == .view }

    /// Lua's name of the type: `table` also for a view, `number` also for an integer.
    public var name: String {
        switch self {
        case .nil: "nil"
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .table, .view: "table"
        case .function: "function"
        case .object: "object"
        case .thread: "thread"
        case .userdata: "userdata"
        }
    }
}

extension LuaType {
    init(_ type: lb_type) {
        self =
            switch type {
            case LB_TYPE_NIL: .nil
            case LB_TYPE_NULL: .null
            case LB_TYPE_BOOLEAN: .boolean
            case LB_TYPE_INTEGER: .integer
            case LB_TYPE_NUMBER: .number
            case LB_TYPE_STRING: .string
            case LB_TYPE_TABLE: .table
            case LB_TYPE_VIEW: .view
            case LB_TYPE_FUNCTION: .function
            case LB_TYPE_OBJECT: .object
            case LB_TYPE_THREAD: .thread
            default: .userdata
            }
    }
}
