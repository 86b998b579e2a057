extension HostAPI {
    package static let libraries = [string, table, math, utf8, coroutine]

    private static let string = HostGroup(
        kind: .library, name: "string", summary: "Texts.",
        members: [
            .function("byte", "s: string, i?: integer, j?: integer", "integer", "Codes of bytes."),
            .function("char", "...: integer", "string", "The text of these bytes."),
            .function(
                "find", "s: string, pattern: string, init?: integer, plain?: boolean", "integer?",
                "Where a pattern first stands: its begin and its end."),
            .function("format", "format: string, ...: any", "string", "A text from a template."),
            .function(
                "gmatch", "s: string, pattern: string, init?: integer", "fun(): string",
                "Goes through the places where a pattern stands."),
            .function(
                "gsub", "s: string, pattern: string, by: string|table|function, n?: integer",
                "string", "The text with a pattern replaced, and how often it was."),
            .function("len", "s: string", "integer", "The number of bytes."),
            .function("lower", "s: string", "string", "The text in lower case."),
            .function(
                "match", "s: string, pattern: string, init?: integer", "string?",
                "What a pattern captures where it first stands."),
            .function("pack", "format: string, ...: any", "string", "Values as bytes."),
            .function("packsize", "format: string", "integer", "How many bytes pack gives."),
            .function(
                "rep", "s: string, n: integer, separator?: string", "string",
                "The text again and again."),
            .function("reverse", "s: string", "string", "The bytes from the end to the begin."),
            .function("sub", "s: string, i: integer, j?: integer", "string", "A part of a text."),
            .function(
                "unpack", "format: string, s: string, position?: integer", "any",
                "Values from bytes."),
            .function("upper", "s: string", "string", "The text in upper case."),
        ])

    private static let table = HostGroup(
        kind: .library, name: "table", summary: "Lists.",
        members: [
            .function(
                "concat", "list: table, separator?: string, i?: integer, j?: integer", "string",
                "The elements as one text.",
                example: "local line = table.concat({ \"a\", \"b\" }, \", \")"),
            .function(
                "insert", "list: table, position: any, value?: any",
                "Puts an element at a position, or at the end."),
            .function(
                "move", "from: table, first: integer, last: integer, at: integer, to?: table",
                "table", "Copies elements to another place."),
            .function("pack", "...: any", "table", "A list of the arguments, with n."),
            .function(
                "remove", "list: table, position?: integer", "any", "Takes an element out."),
            .function(
                "sort", "list: table, less?: fun(a: any, b: any): boolean", "Sorts in place."),
            .function(
                "unpack", "list: table, i?: integer, j?: integer", "any",
                "The elements as several values."),
        ])

    private static let math = HostGroup(
        kind: .library, name: "math", summary: "Numbers.",
        members: [
            .value("huge", "number", "A float above all others; it is not a plain value."),
            .value("maxinteger", "integer", "The largest integer."),
            .value("mininteger", "integer", "The least integer."),
            .value("pi", "number", "3.14159…"),
            .function("abs", "x: number", "number", "The number without its sign."),
            .function("acos", "x: number", "number", "The arc cosine."),
            .function("asin", "x: number", "number", "The arc sine."),
            .function("atan", "y: number, x?: number", "number", "The arc tangent of y/x."),
            .function("ceil", "x: number", "integer", "The next whole number above."),
            .function("cos", "x: number", "number", "The cosine."),
            .function("cosh", "x: number", "number", "The hyperbolic cosine."),
            .function("deg", "x: number", "number", "Radians as degrees."),
            .function("exp", "x: number", "number", "The power of e."),
            .function("floor", "x: number", "integer", "The next whole number below."),
            .function("fmod", "x: number, y: number", "number", "The rest of a division."),
            .function(
                "frexp", "x: number", "number", "The fraction and the exponent of a power of 2."),
            .function("ldexp", "m: number, e: integer", "number", "A number times a power of 2."),
            .function("log", "x: number, base?: number", "number", "The logarithm."),
            .function("log10", "x: number", "number", "The logarithm to the base 10."),
            .function("max", "x: number, ...: number", "number", "The largest."),
            .function("min", "x: number, ...: number", "number", "The least."),
            .function("modf", "x: number", "number", "The whole and the broken part."),
            .function("pow", "x: number, y: number", "number", "A power."),
            .function("rad", "x: number", "number", "Degrees as radians."),
            .function(
                "random", "m?: integer, n?: integer", "number",
                "A random number from the session's seed; in render, always the same ones."),
            .function("sin", "x: number", "number", "The sine."),
            .function("sinh", "x: number", "number", "The hyperbolic sine."),
            .function("sqrt", "x: number", "number", "The square root."),
            .function("tan", "x: number", "number", "The tangent."),
            .function("tanh", "x: number", "number", "The hyperbolic tangent."),
            .function("tointeger", "x: any", "integer?", "The integer of the same value."),
            .function("type", "x: any", "string?", "\"integer\" or \"float\"."),
            .function("ult", "m: integer, n: integer", "boolean", "Compares without signs."),
        ])

    private static let utf8 = HostGroup(
        kind: .library, name: "utf8", summary: "Texts in UTF-8.",
        members: [
            .value("charpattern", "string", "The pattern of one character."),
            .function("char", "...: integer", "string", "The text of these code points."),
            .function(
                "codepoint", "s: string, i?: integer, j?: integer, lax?: boolean", "integer",
                "Code points."),
            .function(
                "codes", "s: string, lax?: boolean",
                "fun(s: string, position: integer): integer, integer",
                "Goes through the positions and code points."),
            .function(
                "len", "s: string, i?: integer, j?: integer, lax?: boolean", "integer?",
                "The number of code points."),
            .function(
                "offset", "s: string, n: integer, i?: integer", "integer?",
                "Where the nth code point begins."),
        ])

    private static let coroutine = HostGroup(
        kind: .library, name: "coroutine", summary: "Functions that can pause.",
        members: [
            .function("close", "co: thread", "boolean", "Ends a coroutine."),
            .function("create", "f: function", "thread", "A coroutine of a function."),
            .function("isyieldable", "co?: thread", "boolean", "Whether yield can be called."),
            .function("resume", "co: thread, ...: any", "boolean", "Goes on with a coroutine."),
            .function("running", "", "thread", "The coroutine that runs."),
            .function("status", "co: thread", "string", "What a coroutine is doing."),
            .function("wrap", "f: function", "function", "A coroutine as a function."),
            .function("yield", "...: any", "any", "Pauses, and gives these values."),
        ])
}
