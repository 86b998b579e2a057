extension HostAPI {
    /// The advice for a call of a context's function in a phase in which it does not work.
    package static func help(forMisplaced function: String) -> String {
        switch function {
        case "run": "set a field of the state, and declare the worker in render while it is set"
        case "random": "draw it in apply, and keep it in the state"
        default: "change the state here, and make what is seen of it in render"
        }
    }

    package static let definition = HostGroup(
        kind: .record(class: "workflow.Definition"), name: "",
        summary: "What a flow file returns: one type of node.",
        members: [
            .value("name", "string?", "The name of the node; that of the file unless given."),
            .value(
                "state",
                "table|(fun(props: table, context: workflow.StateContext): table)?",
                "The first state of a node, or the function that makes it."),
            .value(
                "changed", "(fun(old_props: table, new_props: table, state: table))?",
                "Called when the node gets other props; may change the state."),
            .value(
                "render", "fun(state: table, context: workflow.RenderContext): any",
                "Shows the state: returns a plain value, and changes nothing."),
            .value(
                "apply",
                "table<string, fun(state: table, action: workflow.Action, context: "
                    + "workflow.ApplyContext): any>"
                    + "|(fun(state: table, action: workflow.Action, context: "
                    + "workflow.ApplyContext): any)?",
                "Changes the state, by the type of the action; what it returns is the output."),
            .value("version", "integer?", "The version of the shape of the state; 1 unless given."),
            .value(
                "migrate", "(fun(state: table, from_version: integer): table)?",
                "Turns the state of an older version into one of this version."),
            .value(
                "access",
                "(fun(principal: workflow.Principal, what: table, state: table, props: table): "
                    + "boolean)?",
                "Decides whether somebody may do something; only that of a flow's root is asked."),
        ])

    static let renderContext = HostGroup(
        kind: .object(class: "workflow.RenderContext"), name: "context",
        summary: "What render may use, during the call that got it.",
        members: [
            .value("props", "table", "The node's props, read-only."),
            .function(
                "render",
                "definition: workflow.Definition|string, props?: table, "
                    + "options?: workflow.ChildOptions",
                "any", "Renders a child and returns its rendering.",
                example: """
                    local Item = require "item"
                    local function render(state, context)
                        return context:render(Item, { item = state.item }, { key = state.item.id })
                    end
                    """),
            .function(
                "sink", "type: string, fields?: table", "workflow.Sink",
                "A plain value that whoever holds the rendering can send back as an action.",
                example: """
                    local function render(state, context)
                        return { count = state.count, add = context:sink("add", { by = 1 }) }
                    end
                    """),
            .function(
                "run", "worker: string, input?: any, options?: workflow.RunOptions",
                "Declares a worker, which runs for as long as each render declares it.",
                example: """
                    local function render(state, context)
                        context:run("clock.after", { seconds = 5 }, { on_output = "rang" })
                    end
                    """),
        ])

    static let stateContext = HostGroup(
        kind: .object(class: "workflow.StateContext"), name: "context",
        summary: "What state may use, during the call that got it.",
        members: [
            .value("props", "table", "The node's props, read-only."),
            .value(
                "principal", "string?",
                "The name of whoever the node is made for: of a root, its creator."),
        ])

    static let applyContext = HostGroup(
        kind: .object(class: "workflow.ApplyContext"), name: "context",
        summary: "What apply may use, during the call that got it.",
        members: [
            .value("props", "table", "The node's props, read-only."),
            .value(
                "now", "number", "Seconds since 1970, the same for the whole action.",
                example: """
                    local function started(state, action, context)
                        state.started = context.now
                    end
                    """),
            .value(
                "principal", "string?",
                "The name of whoever sent the input that the action comes of, if the host knows "
                    + "it.",
                example: """
                    local function approved(state, action, context)
                        state.approved_by = context.principal
                    end
                    """),
            .function(
                "random", "m?: integer, n?: integer", "number",
                "A random number from the session's seed, with the arguments of math.random.",
                example: """
                    local function rolled(state, action, context)
                        state.die = context:random(1, 6)
                    end
                    """),
        ])

    package static let childOptions = HostGroup(
        kind: .record(class: "workflow.ChildOptions"), name: "",
        summary: "The options of context:render.",
        members: [
            .value(
                "key", "(string|integer)?",
                "Tells children of one definition apart; a new key is a new node."),
            .value(
                "on_output", "string|(fun(output: any): any)?",
                "The action for an output of the child: its type, or a function that makes it."),
        ])

    package static let runOptions = HostGroup(
        kind: .record(class: "workflow.RunOptions"), name: "",
        summary: "The options of context:run.",
        members: [
            .value("key", "(string|integer)?", "Tells workers of one name apart."),
            .value(
                "on_output", "string|(fun(output: any): any)?",
                "The action for an output of the worker."),
            .value(
                "on_error", "string|(fun(error: workflow.WorkerError): any)?",
                "The action for a failure of the worker."),
            .value("on_finish", "string|(fun(): any)?", "The action for the end of the worker."),
        ])

    package static let workerError = HostGroup(
        kind: .record(class: "workflow.WorkerError"), name: "",
        summary: "Why a worker failed.",
        members: [
            .value("code", "string", "One word for programs, such as timed_out."),
            .value("message", "string", "One sentence for people."),
            .value("help", "string?", "The next step to take."),
        ])

    package static let module = HostGroup(
        kind: .library, name: "workflow",
        summary: "What require \"workflow\" gives; test, any and sink are for tests.",
        members: [
            .value("null", "any", "A null that keeps its place in a plain value."),
            .function(
                "plain", "value: any", "any", "A copy of a value without metatables.",
                example: """
                    local workflow = require "workflow"
                    local point = setmetatable({ x = 1 }, { __index = { y = 2 } })
                    return workflow.plain(point)
                    """),
            .function(
                "record", "", "table", "An empty record; an empty table is a list.",
                example: """
                    local workflow = require "workflow"
                    return workflow.record()
                    """),
            .value("any", "any", "In a test, what matches everything but nil."),
            .function(
                "sink", "type: string, fields?: table", "workflow.Sink",
                "In a test, what a sink is expected to be, wherever its node stands.",
                example: """
                    local flow = workflow.test(require "counter")
                    flow:expect_rendering { increment = workflow.sink "increment" }
                    """),
            .function(
                "test",
                "definition: workflow.Definition|string, props?: table, options?: table",
                "workflow.TestedFlow", "Plays a flow in a test; no real worker runs.",
                example: """
                    local Counter = require "counter"
                    local flow = workflow.test(Counter, { step = 2 })
                    """),
        ])
}
