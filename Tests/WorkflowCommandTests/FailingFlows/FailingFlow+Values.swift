extension FailingFlow {
    /// Values that are not plain where a plain value is needed.
    static let values: [FailingFlow] = [
        FailingFlow(
            name: "a function in the first rendering",
            files: [
                "flow.lua": """
                return {
                    render = function()
                        return { rows = { { on_tap = function() end } } }
                    end,
                }

                """
            ],
            stderr: """
                error: rendering.rows[1].on_tap: a function is not a plain value
                  ┌─ flow.lua:3
                  │
                2 │     render = function()
                3 │         return { rows = { { on_tap = function() end } } }
                4 │     end,
                  │
                  = in render of flow
                help: use context:sink("type") for something that can be sent back

                """,
            errors:
                #"{"code":"not_plain","help":"use context:sink(\"type\") for something that can be sent back","location":{"file":"flow.lua","line":3},"message":"rendering.rows[1].on_tap: a function is not a plain value","node":"flow","phase":"render"}"#
        ),
        FailingFlow(
            name: "a cycle in a rendering",
            files: [
                "flow.lua": """
                return {
                    render = function()
                        local row = { cells = { 1 } }
                        row.cells[2] = row
                        return row
                    end,
                }

                """
            ],
            stderr: """
                error: rendering.cells[2]: the table contains itself
                  ┌─ flow.lua:4
                  │
                3 │         local row = { cells = { 1 } }
                4 │         row.cells[2] = row
                5 │         return row
                  │
                  = in render of flow
                help: name the other part by its id

                """,
            errors:
                #"{"code":"not_plain","help":"name the other part by its id","location":{"file":"flow.lua","line":4},"message":"rendering.cells[2]: the table contains itself","node":"flow","phase":"render"}"#
        ),
        FailingFlow(
            name: "a function in the first state",
            files: [
                "flow.lua": """
                return {
                    state = function() return { on_tap = print } end,
                    render = function() return {} end,
                }

                """
            ],
            stderr: """
                error: state.on_tap: a function is not a plain value
                  ┌─ flow.lua:2
                  │
                1 │ return {
                2 │     state = function() return { on_tap = print } end,
                3 │     render = function() return {} end,
                  │
                  = in state of flow
                help: use context:sink("type") for something that can be sent back

                """,
            errors:
                #"{"code":"not_plain","help":"use context:sink(\"type\") for something that can be sent back","location":{"file":"flow.lua","line":2},"message":"state.on_tap: a function is not a plain value","node":"flow","phase":"state"}"#
        ),
        FailingFlow(
            name: "a state that is no table",
            files: [
                "flow.lua": """
                return {
                    state = function() return 3 end,
                    render = function() return {} end,
                }

                """
            ],
            stderr: """
                error: state must return a table or nil, not an integer
                  ┌─ flow.lua:2
                  │
                1 │ return {
                2 │     state = function() return 3 end,
                3 │     render = function() return {} end,
                  │
                  = in state of flow
                help: return a table: return { count = 0 }

                """,
            errors:
                #"{"code":"lua","help":"return a table: return { count = 0 }","location":{"file":"flow.lua","line":2},"message":"state must return a table or nil, not an integer","node":"flow","phase":"state"}"#
        ),
        FailingFlow(
            name: "a function in a state",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = print
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: state.n: a function is not a plain value
                  ┌─ flow.lua:5
                  │
                4 │     add = function(state) state.n = state.n + 1 end,
                5 │     spoil = function(state)
                6 │         state.n = print
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                help: use context:sink("type") for something that can be sent back

                """,
            errors:
                #"{"code":"not_plain","help":"use context:sink(\"type\") for something that can be sent back","location":{"file":"flow.lua","line":5},"message":"state.n: a function is not a plain value","node":"flow","phase":"apply.spoil"}"#
        ),
        FailingFlow(
            name: "a cycle in a state",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n, state.me = 100, state
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: state.me: the table contains itself
                  ┌─ flow.lua:5
                  │
                4 │     add = function(state) state.n = state.n + 1 end,
                5 │     spoil = function(state)
                6 │         state.n, state.me = 100, state
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                help: name the other part by its id

                """,
            errors:
                #"{"code":"not_plain","help":"name the other part by its id","location":{"file":"flow.lua","line":5},"message":"state.me: the table contains itself","node":"flow","phase":"apply.spoil"}"#
        ),
        FailingFlow(
            name: "a function in an output",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 100
                        return { on_tap = print }
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: output.on_tap: a function is not a plain value
                  ┌─ flow.lua:5
                  │
                4 │     add = function(state) state.n = state.n + 1 end,
                5 │     spoil = function(state)
                6 │         state.n = 100
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                help: use context:sink("type") for something that can be sent back

                """,
            errors:
                #"{"code":"not_plain","help":"use context:sink(\"type\") for something that can be sent back","location":{"file":"flow.lua","line":5},"message":"output.on_tap: a function is not a plain value","node":"flow","phase":"apply.spoil"}"#
        ),
    ]
}
