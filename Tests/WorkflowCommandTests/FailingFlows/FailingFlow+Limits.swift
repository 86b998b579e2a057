extension FailingFlow {
    /// Flows that use up what they may use.
    static let limits: [FailingFlow] = [
        FailingFlow(
            name: "an endless loop in apply",
            files: [
                "flow.lua": """
                local function spin()
                    for _ = 1, math.huge do end
                end

                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 100
                        spin()
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""add""#],
            options: ["--max-time", "0.5"],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: stopped after 500 ms in one call
                  ┌─ flow.lua:2
                  │
                1 │ local function spin()
                2 │     for _ = 1, math.huge do end
                3 │ end
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                  = called from flow.lua:11
                help: raise --max-time

                """,
            errors:
                #"{"code":"time_limit","help":"raise --max-time","location":{"file":"flow.lua","line":2},"message":"stopped after 500 ms in one call","node":"flow","phase":"apply.spoil","trace":[{"file":"flow.lua","function":"spin","line":2},{"file":"flow.lua","line":11}]}"#
        ),
        FailingFlow(
            name: "an endless loop in render",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                }

                local function spin()
                    for _ = 1, math.huge do end
                end

                function Flow.render(state)
                    if state.n == 1 then spin() end
                    return { n = state.n }
                end

                return Flow

                """
            ],
            actions: [#""add""#, #""add""#],
            options: ["--max-time", "0.5"],
            stdout: """
                rendering { n = 0 }
                rendering { n = 2 }

                """,
            stderr: """
                error: stopped after 500 ms in one call
                  ┌─ flow.lua:8
                  │
                7 │ local function spin()
                8 │     for _ = 1, math.huge do end
                9 │ end
                  │
                  = in render of flow
                  = called from flow.lua:12
                help: raise --max-time

                """,
            errors:
                #"{"code":"time_limit","help":"raise --max-time","location":{"file":"flow.lua","line":8},"message":"stopped after 500 ms in one call","node":"flow","phase":"render","trace":[{"file":"flow.lua","function":"spin","line":8},{"file":"flow.lua","line":12}]}"#
        ),
        FailingFlow(
            name: "an endless loop in the first render",
            files: [
                "flow.lua": """
                return {
                    render = function()
                        for _ = 1, math.huge do end
                    end,
                }

                """
            ],
            options: ["--max-time", "0.5"],
            stderr: """
                error: stopped after 500 ms in one call
                  ┌─ flow.lua:3
                  │
                2 │     render = function()
                3 │         for _ = 1, math.huge do end
                4 │     end,
                  │
                  = in render of flow
                help: raise --max-time

                """,
            errors:
                #"{"code":"time_limit","help":"raise --max-time","location":{"file":"flow.lua","line":3},"message":"stopped after 500 ms in one call","node":"flow","phase":"render","trace":[{"file":"flow.lua","line":3}]}"#
        ),
        FailingFlow(
            name: "an endless loop while the file is run",
            files: [
                "flow.lua": """
                for _ = 1, math.huge do end

                """
            ],
            options: ["--max-time", "0.5"],
            stderr: """
                error: stopped after 500 ms in one call
                  ┌─ flow.lua:1
                  │
                1 │ for _ = 1, math.huge do end
                  │
                help: raise --max-time

                """,
            errors:
                #"{"code":"time_limit","help":"raise --max-time","location":{"file":"flow.lua","line":1},"message":"stopped after 500 ms in one call","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":1}]}"#
        ),
        FailingFlow(
            name: "more memory than allowed",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = ("x"):rep(100000000)
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""add""#],
            options: ["--max-memory", "8"],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: stopped at 8 MB of memory
                  ┌─ flow.lua:6
                  │
                5 │     spoil = function(state)
                6 │         state.n = ("x"):rep(100000000)
                7 │     end,
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                help: raise --max-memory

                """,
            errors:
                #"{"code":"memory_limit","help":"raise --max-memory","location":{"file":"flow.lua","line":6},"message":"stopped at 8 MB of memory","node":"flow","phase":"apply.spoil","trace":[{"file":"flow.lua","line":6}]}"#
        ),
    ]
}
