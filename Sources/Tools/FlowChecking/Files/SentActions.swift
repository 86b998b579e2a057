import LuaSyntax
import WorkerKit

/// The actions that a flow's sinks and workers send, with their fields, where the text shows them.
struct SentActions {
    /// The known fields of the actions of a type.
    struct Action {
        var fields: Set<String> = []
        /// True if other fields may be sent too.
        var isOpen = false
        /// True if a sink sends it, or a function makes it.
        var isMade = false
        /// The workers whose outputs it carries in `output`.
        var workers: [WorkerDefinition] = []
        /// True if it carries an output of something else.
        var isOfOthers = false
    }

    private(set) var actions: [String: Action] = [:]

    var allFields: Set<String> { actions.values.reduce(into: []) { $0.formUnion($1.fields) } }

    init(
        _ source: LuaSource, isContext: (LuaExpression) -> Bool,
        worker: (String) -> WorkerDefinition?
    ) {
        for call in source.calls where isContext(call.callee) {
            switch call.method {
            case "sink":
                guard let type = call.arguments.first?.text else { continue }
                add(call.argument(1), to: type)
            case "run", "render":
                let name = call.method == "run" ? call.arguments.first?.text : nil
                for field in call.argument(2)?.table?.fields ?? [] {
                    guard let event = field.name, event.hasPrefix("on_") else { continue }
                    add(
                        handler: field.value, event: String(event.dropFirst(3)),
                        name.flatMap(worker), in: source)
                }
            default: break
            }
        }
    }

    private mutating func add(_ fields: LuaExpression?, to type: String) {
        actions[type, default: Action()].isMade = true
        switch fields {
        case nil: break
        case .table(let table) where table.isClosed:
            actions[type, default: Action()].fields.formUnion(table.names)
        default: actions[type, default: Action()].isOpen = true
        }
    }

    private mutating func add(
        handler: LuaExpression, event: String, _ worker: WorkerDefinition?, in source: LuaSource
    ) {
        if let type = handler.text {
            if event != "finish" { actions[type, default: Action()].fields.insert(event) }
            guard event == "output" else { return }
            if let worker {
                actions[type, default: Action()].workers.append(worker)
            } else {
                actions[type, default: Action()].isOfOthers = true
            }
        } else if let function = source.function(of: handler) {
            for result in function.results {
                guard let type = result.value.literalAction else { continue }
                add(result.value.table == nil ? nil : result.value, to: type)
            }
        }
    }
}
