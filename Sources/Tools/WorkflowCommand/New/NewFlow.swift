/// The files of a new flow.
struct NewFlow {
    let name: FlowName
    /// The definitions for editors.
    let types: String

    /// The paths relative to the flow's folder, with the texts.
    var files: [(path: String, text: String)] {
        [
            ("\(name.text).lua", flow), ("\(name.text)_test.lua", test),
            (".luarc.json", Self.editorSettings), ("types/\(TypesCommand.fileName)", types),
        ]
    }

    private var flow: String {
        let table = name.tableName
        return """
            -- A counter. Its props are { start }, its output is { count }.

            ---@class \(table): workflow.Definition
            local \(table) = {}

            -- The first state of the flow. All that it remembers belongs in here: numbers, texts, \
            booleans,
            -- and tables of them.
            function \(table).state(props)
                return { count = props.start or 0 }
            end

            -- What can happen: a function for each type of action. It changes the state; what it \
            returns is
            -- the output of the flow.
            \(table).apply = {
                increment = function(state, action)
                    state.count = state.count + (action.by or 1)
                end,
                finish = function(state)
                    return { count = state.count }
                end,
            }

            -- What is to be seen, after each action. It changes nothing; a sink is an action that \
            whoever sees
            -- the rendering can send back.
            function \(table).render(state, context)
                return {
                    count = state.count,
                    increment = context:sink("increment"),
                    finish = context:sink("finish"),
                }
            end

            return \(table)

            """
    }

    private var test: String {
        let table = name.tableName
        return """
            local \(table) = require "\(name.text)"

            describe("\(name.text)", function()
                it("counts from where it starts", function()
                    local flow = workflow.test(\(table), { start = 1 })
                    flow:send "increment"
                    flow:send { type = "increment", by = 2 }
                    flow:expect_rendering { count = 4 }
                end)

                it("gives the count when it finishes", function()
                    local flow = workflow.test(\(table))
                    flow:send "increment"
                    flow:send "finish"
                    flow:expect_output { count = 1 }
                end)
            end)

            """
    }

    /// The language server's settings: the libraries of `types` replace its own.
    private static let editorSettings = """
        {
            "$schema": \
        "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
            "runtime.version": "Lua 5.4",
            "runtime.path": [
                "?.lua", "?/init.lua", "lua_modules/share/lua/5.4/?.lua",
                "lua_modules/share/lua/5.4/?/init.lua"
            ],
            "runtime.builtin": {
                "basic": "disable",
                "coroutine": "disable",
                "debug": "disable",
                "io": "disable",
                "math": "disable",
                "os": "disable",
                "package": "disable",
                "string": "disable",
                "table": "disable",
                "utf8": "disable"
            },
            "workspace.library": ["types"],
            "workspace.checkThirdParty": false
        }

        """
}
