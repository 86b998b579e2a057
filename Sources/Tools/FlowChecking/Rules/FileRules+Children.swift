import LuaSyntax
import PlainValue
import WorkerKit
import WorkflowPlugins

extension FileRules {
    mutating func checkChildren() {
        for call in source.calls {
            checkDirectRender(call)
            checkCallOfSink(call)
            guard contexts.contains(call.callee) else { continue }
            switch call.method {
            case "render":
                checkKey(of: call)
                checkModuleName(call)
                if let props = call.argument(1)?.table { checkProps(props, of: call.arguments[0]) }
            case "run":
                checkKey(of: call)
                checkUse(of: call)
                checkHandler(of: call)
            case "sink": checkFieldsOfSink(call)
            default: break
            }
        }
        checkTwins()
    }

    // MARK: Children

    /// Reports a child or a worker that a loop declares again and again without a key.
    private mutating func checkKey(of call: LuaCallExpression) {
        // One key for all is none.
        let key = call.argument(2)?.table?["key"]?.value
        guard call.optionNames != nil, key == nil || key?.constant != nil,
            let first = call.arguments.first,
            let loop = source.loops.last(where: { loop in
                loop.body.contains(call.place)
                    && !source.functions.contains { function in
                        guard let range = function.range else { return false }
                        return range.contains(call.place) && loop.body.contains(range.lowerBound)
                    }
            }),
            !source.exits.contains(where: { loop.body.contains($0.place) })
        else { return }
        let what: String
        if call.method == "render" {
            // Another definition each time needs no key.
            guard let variable = first.variable, !loop.body.contains(variable.place),
                variable.place < loop.place, isDefinition(first)
            else { return }
            what = "child '\(variable.name)'"
        } else {
            guard let name = first.text else { return }
            what = "worker '\(name)'"
        }
        report(
            .context, call.place,
            "a loop declares the \(what) more than once; give each a key of its own: "
                + "{ key = item.id }")
    }

    /// Reports children and workers that one render declares twice without a key.
    private mutating func checkTwins() {
        var known: [(function: LuaFunction, name: String, place: SourcePlace)] = []
        for call in source.calls where contexts.contains(call.callee) {
            guard ["render", "run"].contains(call.method), let first = call.arguments.first,
                let options = call.optionNames, !options.contains("key"),
                !source.branches.contains(where: { $0.body.contains(call.place) })
            else { continue }
            let name: String
            if call.method == "run", let text = first.text {
                name = "the worker '\(text)'"
            } else if call.method == "render", let variable = first.variable, isDefinition(first) {
                name = "the child '\(variable.name)'"
            } else {
                continue
            }
            let twin = known.first { $0.function === call.function && $0.name == name }
            guard let earlier = twin else {
                known.append((call.function, name, call.place))
                continue
            }
            let hasExit = source.exits.contains { exit in
                earlier.place < exit.place && exit.place < call.place
            }
            if hasExit { continue }
            report(
                .context, call.place,
                "line \(earlier.place.line) declares \(name) already; give each a key of its own: "
                    + "{ key = \"left\" }")
        }
    }

    private func isDefinition(_ expression: LuaExpression) -> Bool {
        shape(of: expression)?.isFlow == true
    }

    /// Reports a module that is rendered by its name.
    private mutating func checkModuleName(_ call: LuaCallExpression) {
        guard let name = call.arguments.first?.text, case .file(let file?) = module(name),
            file.shape?.isFlow == true
        else { return }
        report(
            .context, call.places[0],
            "a child is rendered by its definition; write context:render(require \"\(name)\", …)")
    }

    /// Reports a child's `render` that is called as a function.
    private mutating func checkDirectRender(_ call: LuaCallExpression) {
        let base: LuaExpression
        switch (call.method, call.callee) {
        case (nil, .field(let table, "render", _)): base = table
        case (nil, .variable): base = call.callee
        case ("render", let callee): base = callee
        default: return
        }
        guard let variable = base.variable, isDefinition(base), file.shape?.isFlow == true else {
            return
        }
        report(
            .context, call.place,
            "a child that is called has no state of its own; write "
                + "context:render(\(variable.name), { … })")
    }

    /// Reports props that a child never asks for, if it asks for one of a similar name.
    mutating func checkProps(_ props: LuaTable, of child: LuaExpression) {
        guard let asked = propsAsked(by: child) else { return }
        let name = child.variable?.name ?? "the child"
        for field in props.fields {
            guard let given = field.name, !asked.names.contains(given) else { continue }
            if let near = misspelling(given, of: asked.names.subtracting(props.names)) {
                report(
                    .context, field.place,
                    "\(name) has no prop '\(given)'. Did you mean '\(near)'?")
            } else if asked.isWhole, props.isClosed,
                let missing = asked.needed.subtracting(props.names).min()
            {
                report(
                    .context, field.place,
                    "\(name) never reads the prop '\(given)', and needs '\(missing)'; give it that")
            }
        }
    }

    /// The props that a definition reads; `nil` if the text does not show it.
    private func propsAsked(by child: LuaExpression) -> PropsUses? {
        if let name = requiredModule(child), child.variable != nil || child.text == nil {
            guard case .file(let file?) = module(name), let source = file.source,
                let shape = file.shape, shape.isFlow, !shape.isOneOfSeveral
            else { return nil }
            return PropsUses(source, shape)
        }
        guard let shape = FlowShape(child, in: source), shape.isFlow else { return nil }
        return PropsUses(source, shape)
    }

    // MARK: Sinks

    private mutating func checkFieldsOfSink(_ call: LuaCallExpression) {
        let fields = call.argument(1)
        if let type = fields?.table?["type"] {
            report(
                .context, type.place,
                "the first argument of context:sink is the type already; leave out 'type'")
        } else if fields?.isNoTable == true {
            report(
                .context, call.places[1],
                "the fields of a sink are a table; write context:sink(\"add\", { id = 1 })")
        }
    }

    private mutating func checkCallOfSink(_ call: LuaCallExpression) {
        guard call.method == nil, let made = call.callee.known.call, made.method == "sink",
            contexts.isCertain(made.callee)
        else { return }
        report(
            .context, call.place,
            "a sink is a value, which whoever holds the rendering sends back; it cannot be called. "
                + "To change the state, use an action")
    }

    // MARK: Workers

    private mutating func checkUse(of call: LuaCallExpression) {
        guard contexts.isCertain(call.callee) else { return }
        let isUsed =
            source.variables.contains { $0.initializer?.call === call && !$0.reads.isEmpty }
            || source.tables.contains { $0.fields.contains { $0.value.call === call } }
            || source.fields.contains { use in
                use.base.call === call || use.kind.written?.call === call
            }
        guard isUsed else { return }
        report(
            .context, call.place,
            "context:run returns nothing; what the worker gives comes as an action: "
                + "{ on_output = \"loaded\" }")
    }

    /// Reports a worker whose output is all that it does, and that nobody takes.
    private mutating func checkHandler(of call: LuaCallExpression) {
        guard let options = call.optionNames, !options.contains(where: { $0.hasPrefix("on_") }),
            let name = call.arguments.first?.text,
            let worker = try? registry.worker(named: name), worker.onlyGives,
            // A worker that cannot start is mended first.
            !problems.contains(where: { $0.line == call.place.line })
        else { return }
        report(
            .context, call.place,
            "nobody takes what '\(name)' gives; name an action for it: { on_output = \"…\" }")
    }
}

extension WorkerDefinition {
    /// True if its outputs are all that comes of a run: it reads, and changes nothing.
    fileprivate var onlyGives: Bool {
        guard output != .null, needs.allSatisfy({ ["file.read", "http"].contains($0.kind) }) else {
            return false
        }
        // A request with a body, or of any method, may change something.
        guard case .record(let fields) = input else { return true }
        return !fields.contains { ["json", "method", "text"].contains($0.name) }
    }
}
