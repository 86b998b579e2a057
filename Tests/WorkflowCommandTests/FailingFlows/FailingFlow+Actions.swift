extension FailingFlow {
    /// Actions that no node takes.
    static let actions: [FailingFlow] = [
        FailingFlow(
            name: "an unknown action, near a known one",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 1
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""ad""#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: flow has no action 'ad'. Did you mean 'add'?

                """,
            errors:
                #"{"code":"unknown_action","message":"flow has no action 'ad'. Did you mean 'add'?","node":"flow"}"#
        ),
        FailingFlow(
            name: "an unknown action, near none",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 1
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#""quit""#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: flow has no action 'quit'; its actions are add, spoil

                """,
            errors:
                #"{"code":"unknown_action","message":"flow has no action 'quit'; its actions are add, spoil","node":"flow"}"#
        ),
        FailingFlow(
            name: "an action without a type",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 1
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#"{"text":"x"}"#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: an action has no type: { text = "x" }
                help: give it a type, such as { type = "add" }

                """,
            errors:
                #"{"code":"bad_action","help":"give it a type, such as { type = \"add\" }","message":"an action has no type: { text = \"x\" }"}"#
        ),
        FailingFlow(
            name: "an action whose type is a number",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 1
                    end,
                }

                function Flow.render(state) return { n = state.n } end

                return Flow

                """
            ],
            actions: [#"{"type":3}"#, #""add""#],
            stdout: """
                rendering { n = 0 }
                rendering { n = 1 }

                """,
            stderr: """
                error: the type of an action must be a string, not an integer
                help: give it a type, such as { type = "add" }

                """,
            errors:
                #"{"code":"bad_action","help":"give it a type, such as { type = \"add\" }","message":"the type of an action must be a string, not an integer"}"#
        ),
        FailingFlow(
            name: "an action for a flow that takes none",
            files: [
                "flow.lua": """
                return { render = function() return {} end }

                """
            ],
            actions: [#""add""#],
            stdout: """
                rendering {}

                """,
            stderr: """
                error: flow has no actions, so no 'add'

                """,
            errors:
                #"{"code":"unknown_action","message":"flow has no actions, so no 'add'","node":"flow"}"#
        ),
        FailingFlow(
            name: "an unknown action for a child",
            files: [
                "flow.lua": """
                local Kid = { name = "kid", state = { n = 0 } }

                Kid.apply = {
                    add = function(state) state.n = state.n + 1 end,
                }

                function Kid.render(state) return state.n end

                return {
                    render = function(_, context) return { kid = context:render(Kid, {}, { key = "a" }) } end,
                }

                """
            ],
            actions: [
                #"{"$sink":{"node":"flow/kid:a","action":{"type":"ad"}}}"#,
                #"{"$sink":{"node":"flow/kid:a","action":{"type":"add"}}}"#,
            ],
            stdout: """
                rendering { kid = 0 }
                rendering { kid = 1 }

                """,
            stderr: """
                error: kid has no action 'ad'. Did you mean 'add'?

                """,
            errors:
                #"{"code":"unknown_action","message":"kid has no action 'ad'. Did you mean 'add'?","node":"flow/kid:a"}"#
        ),
        FailingFlow(
            name: "a sink for an action that apply does not know",
            files: [
                "flow.lua": """
                return {
                    apply = { add = function() end },
                    render = function(_, context) return { ad = context:sink("ad") } end,
                }

                """
            ],
            stderr: """
                error: flow has no action 'ad'. Did you mean 'add'?
                  ┌─ flow.lua:3
                  │
                2 │     apply = { add = function() end },
                3 │     render = function(_, context) return { ad = context:sink("ad") } end,
                4 │ }
                  │
                  = in render of flow

                """,
            errors:
                #"{"code":"unknown_action","location":{"file":"flow.lua","line":3},"message":"flow has no action 'ad'. Did you mean 'add'?","node":"flow","phase":"render","trace":[{"file":"flow.lua","line":3}]}"#
        ),
    ]
}
