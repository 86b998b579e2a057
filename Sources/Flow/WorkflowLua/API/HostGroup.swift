/// A group of members: a library, a kind of object, or the functions without a prefix.
package struct HostGroup: Sendable {
    package enum Kind: Sendable {
        case globals
        /// A global table, such as `string`.
        case library
        /// An object that scripts receive, such as a context, with its name for language servers.
        case object(class: String)
        /// A table that scripts write. Its members are the fields.
        case record(class: String)
    }

    package let kind: Kind
    /// The name before the members, such as `context` or `string`; empty for globals.
    package let name: String
    package let summary: String
    package let members: [HostMember]

    package var names: [String] { members.map(\.name) }

    package subscript(name: String) -> HostMember? { members.first { $0.name == name } }
}

/// Everything that scripts get from the host.
package enum HostAPI {
    /// All groups, in the order of the documentation.
    package static let groups =
        [
            definition, stateContext, renderContext, applyContext, childOptions, runOptions,
            workerError, principal, module,
        ]
        + [testGlobals, testedFlow, testedWorker, expectation, globals] + libraries

    /// The names that every file may use.
    package static let globalNames = Set(globals.names + libraries.map(\.name))

    package static let testGlobalNames = Set(testGlobals.names + [module.name])

    /// Names of some Lua or LuaJIT whose existence a flow may test; other unknown ones are errors.
    package static let namesElsewhere: Set<String> = [
        "_G", "_VERSION", "arg", "bit", "bit32", "collectgarbage", "debug", "dofile", "gcinfo",
        "getfenv", "io", "jit", "load", "loadfile", "loadlib", "loadstring", "module", "newproxy",
        "os", "package", "setfenv", "unpack", "warn",
    ]

    /// Names of stock Lua that exist for the code of libraries.
    package static let forLibraries: Set<String> = [
        "_G", "_VERSION", "debug", "io", "os", "package",
    ]

    /// Names of stock Lua and other languages that flows do not have, with the replacement.
    package static let absent: [String: String] = [
        "_G": "write the names of globals as they stand",
        "_VERSION": "the language is Lua 5.4",
        "False": "write false",
        "JSON": "values are plain already; a worker takes and gives them as they are",
        "Math": "write math",
        "None": "write nil, or workflow.null for a null that keeps its place",
        "Object": "write out the fields: state.n = …",
        "True": "write true",
        "action": "it is the second parameter of a function in apply: function(state, action)",
        "append": "write list[#list + 1] = value",
        "await": "the output of a worker comes as an action: { on_output = \"loaded\" }",
        "bit32": "Lua 5.4 has the operators & | ~ << >>",
        "collectgarbage": "memory is the host's, and so is its limit",
        "console": "write print(…)",
        "context": "it is a parameter: render(state, context), apply(state, action, context)",
        "debug": "after an error the REPL shows .trace and .locals",
        "dispatch": "an action is sent by a sink: context:sink(\"add\")",
        "dofile": "use require for a file beside this one",
        "enumerate": "write for index, item in ipairs(list) do",
        "fetch": "write context:run(\"http.get\", { url = … }, { on_output = \"loaded\" })",
        "input": "what comes from outside is an action, or the flow's props",
        "int": "write math.tointeger(value), or value // 1",
        "io": "files are for workers; use context:run",
        "len": "write #list, or #text",
        "load": "code comes from files only; use require",
        "loadfile": "use require for a file beside this one",
        "loadstring": "code comes from files only; use require",
        "module": "return a table, and use require",
        "null": "write nil, or workflow.null for a null that keeps its place",
        "os": "the time is context.now in apply; the rest is for workers",
        "package": "require reaches the files beside the flow",
        "parseFloat": "write tonumber(text)",
        "parseInt": "write math.tointeger(text)",
        "printf": "write print(string.format(…))",
        "props": "it is context.props, or the parameter of state",
        "range": "write for i = 1, n do",
        "self": "functions of a definition get what they need: render(state, context)",
        "setInterval":
            "write context:run(\"clock.every\", { seconds = 1 }, { on_output = \"tick\" })",
        "setTimeout":
            "write context:run(\"clock.after\", { seconds = 1 }, { on_output = \"rang\" })",
        "setState": "an action changes the state itself: state.n = …",
        "setfenv": "Lua 5.4 has none; pass a table of functions",
        "sleep": "write context:run(\"clock.after\", { seconds = 1 }, { on_output = \"rang\" })",
        "state": "it is the first parameter: render(state, context), function(state, action)",
        "str": "write tostring(value)",
        "this": "functions of a definition get what they need: render(state, context)",
        "undefined": "write nil, or workflow.null for a null that keeps its place",
        "unpack": "use table.unpack",
        "useEffect": "declare a worker in render: context:run(…)",
        "useState": "a flow has one state: state = { n = 0 }",
        "wait": "write context:run(\"clock.after\", { seconds = 1 }, { on_output = \"rang\" })",
        "workflow": "write: local workflow = require \"workflow\"",
    ]
}
