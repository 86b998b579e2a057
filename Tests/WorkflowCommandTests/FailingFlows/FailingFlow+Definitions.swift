extension FailingFlow {
    /// Definitions with a wrong or missing field.
    static let definitions: [FailingFlow] = [
        FailingFlow(
            name: "no render",
            files: [
                "flow.lua": """
                return { state = {} }

                """
            ],
            stderr: """
                error: the definition of flow has no render function
                  ┌─ flow.lua
                help: add: render = function(state, context) return { … } end

                """,
            errors:
                #"{"code":"definition","help":"add: render = function(state, context) return { … } end","location":{"file":"flow.lua"},"message":"the definition of flow has no render function","phase":"load"}"#
        ),
        FailingFlow(
            name: "an unknown field",
            files: [
                "flow.lua": """
                return { render = function() return {} end, rendr = 1 }

                """
            ],
            stderr: """
                error: the definition of flow has an unknown field 'rendr'. Did you mean 'render'?
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, rendr = 1 }
                  │
                help: a definition has the fields access, apply, changed, migrate, name, render, state, version

                """,
            errors:
                #"{"code":"definition","help":"a definition has the fields access, apply, changed, migrate, name, render, state, version","location":{"file":"flow.lua","line":1},"message":"the definition of flow has an unknown field 'rendr'. Did you mean 'render'?","phase":"load"}"#
        ),
        FailingFlow(
            name: "an unknown field that is like none",
            files: [
                "flow.lua": """
                return { render = function() return {} end, colour = "red" }

                """
            ],
            stderr: """
                error: the definition of flow has an unknown field 'colour'
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, colour = "red" }
                  │
                help: a definition has the fields access, apply, changed, migrate, name, render, state, version

                """,
            errors:
                #"{"code":"definition","help":"a definition has the fields access, apply, changed, migrate, name, render, state, version","location":{"file":"flow.lua","line":1},"message":"the definition of flow has an unknown field 'colour'","phase":"load"}"#
        ),
        FailingFlow(
            name: "a field without a name",
            files: [
                "flow.lua": """
                return { 4, render = function() return {} end }

                """
            ],
            stderr: """
                error: the definition of flow has the field [1], which is no name
                  ┌─ flow.lua
                help: a definition has the fields access, apply, changed, migrate, name, render, state, version

                """,
            errors:
                #"{"code":"definition","help":"a definition has the fields access, apply, changed, migrate, name, render, state, version","location":{"file":"flow.lua"},"message":"the definition of flow has the field [1], which is no name","phase":"load"}"#
        ),
        FailingFlow(
            name: "a name that is a number",
            files: [
                "flow.lua": """
                return { render = function() return {} end, name = 3 }

                """
            ],
            stderr: """
                error: 'name' of the definition of flow is an integer; it must be a string
                  ┌─ flow.lua

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua"},"message":"'name' of the definition of flow is an integer; it must be a string","phase":"load"}"#
        ),
        FailingFlow(
            name: "an empty name",
            files: [
                "flow.lua": """
                return { render = function() return {} end, name = "" }

                """
            ],
            stderr: """
                error: 'name' of the definition of flow is empty
                  ┌─ flow.lua

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua"},"message":"'name' of the definition of flow is empty","phase":"load"}"#
        ),
        FailingFlow(
            name: "a state that is a number",
            files: [
                "flow.lua": """
                return { render = function() return {} end, state = 3 }

                """
            ],
            stderr: """
                error: 'state' of the definition of flow is an integer; it must be a function(props) or a table
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, state = 3 }
                  │

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua","line":1},"message":"'state' of the definition of flow is an integer; it must be a function(props) or a table","phase":"load"}"#
        ),
        FailingFlow(
            name: "a changed that is a table",
            files: [
                "flow.lua": """
                return { render = function() return {} end, changed = {} }

                """
            ],
            stderr: """
                error: 'changed' of the definition of flow is a table; it must be a function(old_props, new_props, state)
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, changed = {} }
                  │

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua","line":1},"message":"'changed' of the definition of flow is a table; it must be a function(old_props, new_props, state)","phase":"load"}"#
        ),
        FailingFlow(
            name: "an apply that is a string",
            files: [
                "flow.lua": """
                return { render = function() return {} end, apply = "add" }

                """
            ],
            stderr: """
                error: 'apply' of the definition of flow is a string; it must be a table of functions or a function(state, action, context)
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, apply = "add" }
                  │

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua","line":1},"message":"'apply' of the definition of flow is a string; it must be a table of functions or a function(state, action, context)","phase":"load"}"#
        ),
        FailingFlow(
            name: "an apply with a number in it",
            files: [
                "flow.lua": """
                return { render = function() return {} end, apply = { add = 3 } }

                """
            ],
            stderr: """
                error: 'apply' of the definition of flow has an integer at 'add'; it holds functions under the names of actions
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, apply = { add = 3 } }
                  │
                help: write: apply = { add = function(state, action) … end }

                """,
            errors:
                #"{"code":"definition","help":"write: apply = { add = function(state, action) … end }","location":{"file":"flow.lua","line":1},"message":"'apply' of the definition of flow has an integer at 'add'; it holds functions under the names of actions","phase":"load"}"#
        ),
        FailingFlow(
            name: "an apply that is a list",
            files: [
                "flow.lua": """
                return { render = function() return {} end, apply = { function() end } }

                """
            ],
            stderr: """
                error: 'apply' of the definition of flow has a function at [1]; it holds functions under the names of actions
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, apply = { function() end } }
                  │
                help: write: apply = { add = function(state, action) … end }

                """,
            errors:
                #"{"code":"definition","help":"write: apply = { add = function(state, action) … end }","location":{"file":"flow.lua","line":1},"message":"'apply' of the definition of flow has a function at [1]; it holds functions under the names of actions","phase":"load"}"#
        ),
        FailingFlow(
            name: "a version that is a string",
            files: [
                "flow.lua": """
                return { render = function() return {} end, version = "x" }

                """
            ],
            stderr: """
                error: 'version' of the definition of flow must be a whole number from 1 on
                  ┌─ flow.lua
                help: begin with version = 1, and count on when the shape of the state changes

                """,
            errors:
                #"{"code":"definition","help":"begin with version = 1, and count on when the shape of the state changes","location":{"file":"flow.lua"},"message":"'version' of the definition of flow must be a whole number from 1 on","phase":"load"}"#
        ),
        FailingFlow(
            name: "a version of zero",
            files: [
                "flow.lua": """
                return { render = function() return {} end, version = 0 }

                """
            ],
            stderr: """
                error: 'version' of the definition of flow must be a whole number from 1 on
                  ┌─ flow.lua
                help: begin with version = 1, and count on when the shape of the state changes

                """,
            errors:
                #"{"code":"definition","help":"begin with version = 1, and count on when the shape of the state changes","location":{"file":"flow.lua"},"message":"'version' of the definition of flow must be a whole number from 1 on","phase":"load"}"#
        ),
        FailingFlow(
            name: "a migrate that is a number",
            files: [
                "flow.lua": """
                return { render = function() return {} end, migrate = 3 }

                """
            ],
            stderr: """
                error: 'migrate' of the definition of flow is an integer; it must be a function(state, from_version)
                  ┌─ flow.lua:1
                  │
                1 │ return { render = function() return {} end, migrate = 3 }
                  │

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua","line":1},"message":"'migrate' of the definition of flow is an integer; it must be a function(state, from_version)","phase":"load"}"#
        ),
        FailingFlow(
            name: "a render that is a number",
            files: [
                "flow.lua": """
                return { render = 3 }

                """
            ],
            stderr: """
                error: 'render' of the definition of flow is an integer; it must be a function(state, context)
                  ┌─ flow.lua:1
                  │
                1 │ return { render = 3 }
                  │

                """,
            errors:
                #"{"code":"definition","location":{"file":"flow.lua","line":1},"message":"'render' of the definition of flow is an integer; it must be a function(state, context)","phase":"load"}"#
        ),
    ]
}
