extension FailingFlow {
    /// Errors that are raised in one of a node's functions.
    static let calls: [FailingFlow] = [
        FailingFlow(
            name: "an error in state",
            files: [
                "flow.lua": """
                local Flow = {}

                function Flow.state()
                    return { total = price * 2 }
                end

                function Flow.render() return {} end

                return Flow

                """
            ],
            stderr: """
                error: there is no global 'price'
                  ┌─ flow.lua:4
                  │
                3 │ function Flow.state()
                4 │     return { total = price * 2 }
                  │                      ^^^^^
                5 │ end
                  │
                  = in state of flow
                help: declare it above this line: local price = …

                """,
            errors:
                #"{"code":"lua","help":"declare it above this line: local price = …","location":{"file":"flow.lua","line":4},"message":"there is no global 'price'","node":"flow","phase":"state","trace":[{"file":"flow.lua","line":4}]}"#
        ),
        FailingFlow(
            name: "an error in render",
            files: [
                "flow.lua": """
                local Flow = {}

                function Flow.render()
                    return { title = config.title }
                end

                return Flow

                """
            ],
            stderr: """
                error: there is no global 'config'
                  ┌─ flow.lua:4
                  │
                3 │ function Flow.render()
                4 │     return { title = config.title }
                  │                      ^^^^^^
                5 │ end
                  │
                  = in render of flow
                help: declare it above this line: local config = …

                """,
            errors:
                #"{"code":"lua","help":"declare it above this line: local config = …","location":{"file":"flow.lua","line":4},"message":"there is no global 'config'","node":"flow","phase":"render","trace":[{"file":"flow.lua","line":4}]}"#
        ),
        FailingFlow(
            name: "an error in the render of a child",
            files: [
                "flow.lua": """
                local Kid = require "kid"

                return {
                    render = function(_, context)
                        return { kid = context:render(Kid) }
                    end,
                }

                """,
                "kid.lua": """
                return {
                    render = function()
                        error("no luck")
                    end,
                }

                """,
            ],
            stderr: """
                error: no luck
                  ┌─ kid.lua:3
                  │
                2 │     render = function()
                3 │         error("no luck")
                4 │     end,
                  │
                  = in render of flow/kid

                """,
            errors:
                #"{"code":"lua","location":{"file":"kid.lua","line":3},"message":"no luck","node":"flow/kid","phase":"render","trace":[{"file":"kid.lua","line":3}]}"#
        ),
        FailingFlow(
            name: "an error in changed, which the next action heals",
            files: [
                "flow.lua": """
                local Kid = { name = "kid", state = { n = 0 } }

                local function grown(n, size)
                    return n + size
                end

                function Kid.changed(_, new, state)
                    state.n = grown(state.n, new.size)
                end

                function Kid.render(state) return state.n end

                local Flow = { state = { size = 1 } }

                Flow.apply = {
                    spoil = function(state) state.size = nil end,
                    mend = function(state) state.size = 2 end,
                }

                function Flow.render(state, context)
                    return { kid = context:render(Kid, { size = state.size }) }
                end

                return Flow

                """
            ],
            actions: [#""spoil""#, #""mend""#],
            stdout: """
                rendering { kid = 0 }
                rendering { kid = 2 }

                """,
            stderr: """
                error: attempt to perform arithmetic on a nil value (local 'size')
                  ┌─ flow.lua:4
                  │
                3 │ local function grown(n, size)
                4 │     return n + size
                  │                ^^^^ this is nil
                5 │ end
                  │
                  = in changed of flow/kid
                  = locals: n = 0, size = nil
                  = called from flow.lua:8
                help: 'size' is not set here; give it a value, or write (size or 0)

                """,
            errors:
                #"{"code":"lua","help":"'size' is not set here; give it a value, or write (size or 0)","locals":[{"name":"n","value":"0"},{"name":"size","value":"nil"}],"location":{"file":"flow.lua","line":4},"message":"attempt to perform arithmetic on a nil value (local 'size')","node":"flow/kid","phase":"changed","trace":[{"file":"flow.lua","function":"grown","line":4},{"file":"flow.lua","line":8}]}"#
        ),
        FailingFlow(
            name: "an error in a function of a child, whose props are seen",
            files: [
                "flow.lua": """
                local Row = { name = "row" }

                local function label(item)
                    return item.title .. item.text
                end

                function Row.render(state, context)
                    return label(context.props.item)
                end

                local Flow = {}

                function Flow.render(state, context)
                    local text = context:render(Row, { item = { id = 7, title = "tea" }, of = 1 })
                    return { text = text }
                end

                return Flow

                """
            ],
            stderr: """
                error: attempt to concatenate a nil value (field 'text')
                  ┌─ flow.lua:4
                  │
                3 │ local function label(item)
                4 │     return item.title .. item.text
                  │                               ^^^^ this is nil
                5 │ end
                  │
                  = in render of flow/row
                  = locals: item = { id = 7, title = "tea" }, context.props = { item = { id = 7, title = "tea" }, of = 1 }
                help: 'text' is not set here; give it a value, or write (text or "")

                """,
            errors:
                #"{"code":"lua","help":"'text' is not set here; give it a value, or write (text or \"\")","locals":[{"name":"item","value":"{ id = 7, title = \"tea\" }"},{"name":"context.props","value":"{ item = { id = 7, title = \"tea\" }, of = 1 }"}],"location":{"file":"flow.lua","line":4},"message":"attempt to concatenate a nil value (field 'text')","node":"flow/row","phase":"render","trace":[{"file":"flow.lua","line":4}]}"#
        ),
        FailingFlow(
            name: "an error in a later render, which keeps the state of the action",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 1 } }

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                }

                local function checked(n)
                    if n == 2 then error("two is too many") end
                    return n
                end

                function Flow.render(state)
                    return { n = checked(state.n) }
                end

                return Flow

                """
            ],
            actions: [#""add""#, #""add""#],
            stdout: """
                rendering { n = 1 }
                rendering { n = 3 }

                """,
            stderr: """
                error: two is too many
                  ┌─ flow.lua:8
                  │
                7 │ local function checked(n)
                8 │     if n == 2 then error("two is too many") end
                9 │     return n
                  │
                  = in render of flow
                  = locals: n = 2
                  = called from flow.lua:13

                """,
            errors:
                #"{"code":"lua","locals":[{"name":"n","value":"2"}],"location":{"file":"flow.lua","line":8},"message":"two is too many","node":"flow","phase":"render","trace":[{"file":"flow.lua","function":"checked","line":8},{"file":"flow.lua","line":13}]}"#
        ),
        FailingFlow(
            name: "an error in apply, which leaves the state as it was",
            files: [
                "flow.lua": """
                local Flow = { state = { n = 0 } }

                local function refuse(limit)
                    error("more than " .. limit)
                end

                Flow.apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spoil = function(state)
                        state.n = 100
                        refuse(3)
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
                error: more than 3
                  ┌─ flow.lua:4
                  │
                3 │ local function refuse(limit)
                4 │     error("more than " .. limit)
                5 │ end
                  │
                  = in apply.spoil of flow
                  = the action was rolled back; the state is as before
                  = locals: limit = 3
                  = called from flow.lua:11

                """,
            errors:
                #"{"code":"lua","locals":[{"name":"limit","value":"3"}],"location":{"file":"flow.lua","line":4},"message":"more than 3","node":"flow","phase":"apply.spoil","trace":[{"file":"flow.lua","function":"refuse","line":4},{"file":"flow.lua","line":11}]}"#
        ),
        FailingFlow(
            name: "an error in a function that apply calls",
            files: [
                "flow.lua": """
                local function checked(text)
                    assert(text ~= "", "a text is needed")
                    return text
                end

                local function added(text)
                    local item = checked(text)
                    return item
                end

                return {
                    apply = {
                        add = function(_, action)
                            local item = added(action.text)
                            return item
                        end,
                    },
                    render = function() return {} end,
                }

                """
            ],
            actions: [#"{"type":"add","text":""}"#],
            stdout: """
                rendering {}

                """,
            stderr: """
                error: a text is needed
                  ┌─ flow.lua:2
                  │
                1 │ local function checked(text)
                2 │     assert(text ~= "", "a text is needed")
                3 │     return text
                  │
                  = in apply.add of flow
                  = the action was rolled back; the state is as before
                  = locals: text = ""
                  = called from flow.lua:7 in added
                  = called from flow.lua:14

                """,
            errors:
                #"{"code":"lua","locals":[{"name":"text","value":"\"\""}],"location":{"file":"flow.lua","line":2},"message":"a text is needed","node":"flow","phase":"apply.add","trace":[{"file":"flow.lua","function":"checked","line":2},{"file":"flow.lua","function":"added","line":7},{"file":"flow.lua","line":14}]}"#
        ),
        FailingFlow(
            name: "an error in on_output, which rolls back the child too",
            files: [
                "flow.lua": """
                local Kid = { name = "kid", state = { n = 0 } }

                Kid.apply = {
                    tell = function(state)
                        state.n = state.n + 100
                        return "told"
                    end,
                    add = function(state) state.n = state.n + 1 end,
                }

                function Kid.render(state) return state.n end

                local Flow = {}

                function Flow.render(_, context)
                    return {
                        kid = context:render(Kid, {}, {
                            on_output = function()
                                error("nobody listens")
                            end,
                        }),
                    }
                end

                return Flow

                """
            ],
            actions: [
                #"{"$sink":{"node":"flow/kid","action":{"type":"tell"}}}"#,
                #"{"$sink":{"node":"flow/kid","action":{"type":"add"}}}"#,
            ],
            stdout: """
                rendering { kid = 0 }
                rendering { kid = 1 }

                """,
            stderr: """
                error: nobody listens
                   ┌─ flow.lua:19
                   │
                18 │             on_output = function()
                19 │                 error("nobody listens")
                20 │             end,
                   │
                   = in on_output of flow
                   = the action was rolled back; the state is as before

                """,
            errors:
                #"{"code":"lua","location":{"file":"flow.lua","line":19},"message":"nobody listens","node":"flow","phase":"on_output","trace":[{"file":"flow.lua","line":19}]}"#
        ),
        FailingFlow(
            name: "an error in the parent's apply, which rolls back the child too",
            files: [
                "flow.lua": """
                local Kid = { name = "kid", state = { n = 0 } }

                Kid.apply = {
                    tell = function(state)
                        state.n = state.n + 100
                        return "told"
                    end,
                    add = function(state) state.n = state.n + 1 end,
                }

                function Kid.render(state) return state.n end

                local Flow = { state = { told = false } }

                local function refuse()
                    error("nobody listens")
                end

                Flow.apply = {
                    told = function(state)
                        state.told = true
                        refuse()
                    end,
                }

                function Flow.render(state, context)
                    return {
                        told = state.told,
                        kid = context:render(Kid, {}, { on_output = "told" }),
                    }
                end

                return Flow

                """
            ],
            actions: [
                #"{"$sink":{"node":"flow/kid","action":{"type":"tell"}}}"#,
                #"{"$sink":{"node":"flow/kid","action":{"type":"add"}}}"#,
            ],
            stdout: """
                rendering { kid = 0, told = false }
                rendering { kid = 1, told = false }

                """,
            stderr: """
                error: nobody listens
                   ┌─ flow.lua:16
                   │
                15 │ local function refuse()
                16 │     error("nobody listens")
                17 │ end
                   │
                   = in apply.told of flow
                   = the action was rolled back; the state is as before
                   = called from flow.lua:22

                """,
            errors:
                #"{"code":"lua","location":{"file":"flow.lua","line":16},"message":"nobody listens","node":"flow","phase":"apply.told","trace":[{"file":"flow.lua","function":"refuse","line":16},{"file":"flow.lua","line":22}]}"#
        ),
    ]
}
