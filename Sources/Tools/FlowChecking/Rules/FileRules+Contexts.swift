import LuaSyntax
import PlainValue
import WorkflowLua

extension FileRules {
    private static let functions = ["random", "render", "run", "sink"]
    private static let values = ["now", "principal", "props"]

    mutating func checkContexts() {
        for call in source.calls { check(call) }
        for use in source.fields where contexts.isCertain(use.base) {
            guard case .read = use.kind else { continue }
            checkName(use.name, use.place, isCertain: true, Self.functions + Self.values, "has no")
        }
    }

    private mutating func check(_ call: LuaCallExpression) {
        guard let method = call.method else { return }
        let isCertain = contexts.isCertain(call.callee)
        guard isCertain || contexts.isLikely(call.callee) else { return }
        // A module may call an object of its own a context, so only its workers are certain.
        if file.kind == .module {
            if method == "run" { checkWorker(of: call) }
            return
        }
        switch method {
        case "sink":
            if let type = call.arguments.first?.text { checkAction(type, call.places[0]) }
        case "render":
            checkOptions(of: call, HostAPI.childOptions.names)
            checkOutputs(of: call)
            checkAccess(of: call)
        case "run":
            checkWorker(of: call)
            checkOptions(of: call, HostAPI.runOptions.names)
        default:
            checkName(method, call.place, isCertain: isCertain, Self.functions, "has no function")
        }
    }

    /// Reports a name that contexts do not have. If it may be none, only a near miss.
    private mutating func checkName(
        _ name: String, _ place: SourcePlace, isCertain: Bool, _ known: [String], _ words: String
    ) {
        guard !known.contains(name) else { return }
        let near = didYouMean(name, among: known)
        guard isCertain || !near.isEmpty else { return }
        let help = Self.instead[name].map { "; \($0)" }
        report(
            .context, place,
            "a context \(words) '\(name)'"
                + (help ?? suggestion(for: name, among: known, noun: "fields")))
    }

    /// The next step for names that authors look for in a context.
    private static let instead = [
        "dispatch": "a rendering has sinks, and actions share local functions",
        "emit": "an action returns its output",
        "output": "an action returns its output",
        "send": "a rendering has sinks, and actions share local functions",
        "setState": "an action changes the state itself: state.n = …",
        "state": "the state is the first parameter of render and of actions",
    ]

    /// Reports an action that the file's own definition does not have.
    private mutating func checkAction(_ type: String, _ place: SourcePlace) {
        guard file.kind == .flow, file.shape?.isOneOfSeveral == false,
            let objection = file.actions?.objection(to: type)
        else { return }
        report(.action, place, objection)
    }

    private mutating func checkOptions(of call: LuaCallExpression, _ known: [String]) {
        for field in call.argument(2)?.table?.fields ?? [] {
            guard let name = field.name else { continue }
            guard known.contains(name) else {
                report(
                    .context, field.place,
                    "context:\(call.method ?? "") has no option '\(name)'"
                        + suggestion(for: name, among: known, noun: "options"))
                continue
            }
            if name != "key" { checkHandler(field) }
        }
    }

    /// Reports a child that certainly has outputs but is rendered without an `on_output`.
    private mutating func checkOutputs(of call: LuaCallExpression) {
        guard let options = call.optionNames, !options.contains("on_output"),
            let child = call.arguments.first, shape(of: child)?.givesOutputs == true
        else { return }
        let name = child.variable?.name ?? "the child"
        report(
            .context, call.place,
            "nobody takes what \(name) gives; render it with { on_output = … }")
    }

    /// Reports a child with an `access` function, which is never called.
    private mutating func checkAccess(of call: LuaCallExpression) {
        guard let child = call.arguments.first, shape(of: child)?.fields["access"] != nil else {
            return
        }
        let name = child.variable?.name ?? "the child"
        report(
            .context, call.places[0],
            "the access of \(name) is not asked, as it is a child; "
                + "let that of the flow's root decide")
    }

    /// The shape of a definition in this file or in a module.
    func shape(of definition: LuaExpression) -> FlowShape? {
        guard let name = requiredModule(definition) else {
            return FlowShape(definition, in: source)
        }
        if case .file(let file) = module(name) { return file?.shape }
        return nil
    }

    /// Checks the action of `on_output` and similar fields: a literal, or the result of a function.
    private mutating func checkHandler(_ field: LuaTable.Field) {
        if let type = field.value.text { checkAction(type, field.valuePlace) }
        for result in field.value.function?.results ?? [] {
            if let type = result.value.literalAction { checkAction(type, result.place) }
        }
    }
}

extension LuaExpression {
    var literalAction: String? { text ?? table?["type"]?.value.text }
}
