extension HostAPI {
    package static let globals = HostGroup(
        kind: .globals, name: "", summary: "The global functions of flows.",
        members: [
            .function(
                "assert", "value: any, message?: any, ...: any", "any",
                "Raises an error with the message unless the value is true.",
                example: "local text = assert(tostring(1), \"there is no text\")"),
            .function(
                "error", "message: any, level?: integer", "Raises an error.",
                example: "error(\"the cart is empty\")"),
            .function("getmetatable", "value: any", "any", "The metatable of a value."),
            .function(
                "ipairs", "list: table", "fun(list: table, index: integer): integer, any",
                "Goes through the elements of a list, in order.",
                example: "for index, item in ipairs({ \"a\", \"b\" }) do print(index, item) end"),
            .function("next", "record: table, key?: any", "any", "The key after a key."),
            .function(
                "pairs", "record: table", "fun(record: table, key: any): any, any",
                "Goes through the keys of a table, in an order that is always the same.",
                example: "for key, value in pairs({ a = 1 }) do print(key, value) end"),
            .function(
                "pcall", "f: function, ...: any", "boolean",
                "Calls a function; false and the error if it fails."),
            .function("print", "...: any", "Writes a line to the session's log."),
            .function("rawequal", "a: any, b: any", "boolean", "Compares without metamethods."),
            .function("rawget", "record: table, key: any", "any", "Reads without metamethods."),
            .function(
                "rawlen", "value: table|string", "integer", "The length without metamethods."),
            .function(
                "rawset", "record: table, key: any, value: any", "table",
                "Writes without metamethods."),
            .function(
                "require", "module: string", "any",
                "What a file beside the flow returns; \"parts.row\" is parts/row.lua.",
                example: "local Item = require \"item\""),
            .function("select", "index: integer|\"#\", ...: any", "any", "The later arguments."),
            .function(
                "setmetatable", "record: table, metatable: table?", "table",
                "Gives a table a metatable, with the metamethods that this has now."),
            .function(
                "tonumber", "value: any, base?: integer", "number?", "The number in a text."),
            .function("tostring", "value: any", "string", "The text of a value."),
            .function("type", "value: any", "string", "The name of the value's type."),
            .function(
                "xpcall", "f: function, handler: function, ...: any", "boolean",
                "Calls a function, with a function that receives its error."),
        ])
}
