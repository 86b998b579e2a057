extension FailingFlow {
    /// Files that cannot be loaded, and modules that cannot be required.
    static let files: [FailingFlow] = [
        FailingFlow(
            name: "a syntax error",
            files: [
                "flow.lua": """
                local Flow = {}
                function Flow.render(
                return Flow

                """
            ],
            stderr: """
                error: <name> or '...' expected near 'return'
                  ┌─ flow.lua:3
                  │
                2 │ function Flow.render(
                3 │ return Flow
                  │
                help: look at this line and at the one before it

                """,
            errors:
                #"{"code":"syntax","help":"look at this line and at the one before it","location":{"file":"flow.lua","line":3},"message":"<name> or '...' expected near 'return'","phase":"load"}"#
        ),
        FailingFlow(
            name: "a syntax error in a module",
            files: [
                "flow.lua": """
                return require "part"

                """,
                "part.lua": """
                x = = 1

                """,
            ],
            stderr: """
                error: unexpected symbol near '='
                  ┌─ part.lua:1
                  │
                1 │ x = = 1
                  │
                help: a statement is a call or an assignment; look at the line before, too

                """,
            errors:
                #"{"code":"syntax","help":"a statement is a call or an assignment; look at the line before, too","location":{"file":"part.lua","line":1},"message":"unexpected symbol near '='","phase":"load"}"#
        ),
        FailingFlow(
            name: "a file that returns nothing",
            files: [
                "flow.lua": """
                local Flow = {}

                """
            ],
            stderr: """
                error: flow.lua returns nothing
                  ┌─ flow.lua
                help: end the file with: return { … }

                """,
            errors:
                #"{"code":"module","help":"end the file with: return { … }","location":{"file":"flow.lua"},"message":"flow.lua returns nothing","phase":"load"}"#
        ),
        FailingFlow(
            name: "a file that returns a number",
            files: [
                "flow.lua": """
                return 3

                """
            ],
            stderr: """
                error: a flow returns a table with a render function, not an integer
                  ┌─ flow.lua
                help: end the file with: return { render = function(state, context) … end }

                """,
            errors:
                #"{"code":"definition","help":"end the file with: return { render = function(state, context) … end }","location":{"file":"flow.lua"},"message":"a flow returns a table with a render function, not an integer","phase":"load"}"#
        ),
        FailingFlow(
            name: "an error while the file is run",
            files: [
                "flow.lua": """
                local Flow = {}
                Flow.names.first = "x"
                return Flow

                """
            ],
            stderr: """
                error: attempt to index a nil value (field 'names')
                  ┌─ flow.lua:2
                  │
                1 │ local Flow = {}
                2 │ Flow.names.first = "x"
                  │      ^^^^^ this is nil
                3 │ return Flow
                  │
                  = locals: Flow = {}
                help: 'names' is not set here; give it a value, or ask first: if names then …

                """,
            errors:
                #"{"code":"lua","help":"'names' is not set here; give it a value, or ask first: if names then …","locals":[{"name":"Flow","value":"{}"}],"location":{"file":"flow.lua","line":2},"message":"attempt to index a nil value (field 'names')","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":2}]}"#
        ),
        FailingFlow(
            name: "a missing module",
            files: [
                "flow.lua": """
                local Item = require "itme"
                return Item

                """,
                "item.lua": """
                return {}

                """,
            ],
            stderr: """
                error: there is no module 'itme': itme.lua is not in the flow's folder. Did you mean 'item'?
                  ┌─ flow.lua:1
                  │
                1 │ local Item = require "itme"
                2 │ return Item
                  │

                """,
            errors:
                #"{"code":"module","location":{"file":"flow.lua","line":1},"message":"there is no module 'itme': itme.lua is not in the flow's folder. Did you mean 'item'?","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":1}]}"#
        ),
        FailingFlow(
            name: "modules that require each other",
            files: [
                "flow.lua": """
                return require "a"

                """,
                "a.lua": """
                return require "b"

                """,
                "b.lua": """
                return require "a"

                """,
            ],
            stderr: """
                error: modules require each other: a → b → a
                  ┌─ b.lua:1
                  │
                1 │ return require "a"
                  │

                """,
            errors:
                #"{"code":"module","location":{"file":"b.lua","line":1},"message":"modules require each other: a → b → a","phase":"load","trace":[{"file":"b.lua","function":"main chunk","line":1}]}"#
        ),
        FailingFlow(
            name: "a module that returns nothing",
            files: [
                "flow.lua": """
                return require "part"

                """,
                "part.lua": """
                local x = 1

                """,
            ],
            stderr: """
                error: part.lua returns nothing
                  ┌─ flow.lua:1
                  │
                1 │ return require "part"
                  │
                help: end the file with: return { … }

                """,
            errors:
                #"{"code":"module","help":"end the file with: return { … }","location":{"file":"flow.lua","line":1},"message":"part.lua returns nothing","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":1}]}"#
        ),
        FailingFlow(
            name: "a module outside the folder",
            files: [
                "flow.lua": """
                return require "../x"

                """
            ],
            stderr: """
                error: '../x' is no name of a module
                  ┌─ flow.lua:1
                  │
                1 │ return require "../x"
                  │
                help: a module is a file in the flow's folder: require "item" for item.lua, require "parts.row" for parts/row.lua

                """,
            errors:
                #"{"code":"module","help":"a module is a file in the flow's folder: require \"item\" for item.lua, require \"parts.row\" for parts/row.lua","location":{"file":"flow.lua","line":1},"message":"'../x' is no name of a module","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":1}]}"#
        ),
        FailingFlow(
            name: "a module with an absolute path",
            files: [
                "flow.lua": """
                return require "/etc/x"

                """
            ],
            stderr: """
                error: '/etc/x' is no name of a module
                  ┌─ flow.lua:1
                  │
                1 │ return require "/etc/x"
                  │
                help: a module is a file in the flow's folder: require "item" for item.lua, require "parts.row" for parts/row.lua

                """,
            errors:
                #"{"code":"module","help":"a module is a file in the flow's folder: require \"item\" for item.lua, require \"parts.row\" for parts/row.lua","location":{"file":"flow.lua","line":1},"message":"'/etc/x' is no name of a module","phase":"load","trace":[{"file":"flow.lua","function":"main chunk","line":1}]}"#
        ),
    ]
}
