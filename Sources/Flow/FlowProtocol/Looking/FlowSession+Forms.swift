import LuaSyntax
package import PlainValue
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// The most values of a field in a form.
    private static let mostSeen = 5
    /// The most inputs, from the end, that are searched for values.
    private static let mostInputs = 10_000

    package func forms() -> Value { forms(hiding: secrets) }

    /// The fields that the code reads from each action, with the last values of each, and the
    /// orders in which its tables have their fields.
    func forms(hiding secrets: SecretTexts) -> Value {
        guard let texts = past.flow?.texts else { return ["forms": [], "orders": []] }
        var seen = seenFields(hiding: secrets)
        var modules: [String: [UInt8]] = [:]
        for (file, text) in texts { modules[file.moduleName] = text }
        let root = past.flow?.files.first { $0 == past.header?.file?.nameOfPath } ?? ""
        var forms: [Value] = []
        var orders: [[String]] = []
        for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
            let own = file == root ? name : file.moduleName
            let workflows = ActionFields(source: text, modules: modules).workflows
            if let source = try? LuaSource(text) { orders += source.orders }
            for (workflow, fields) in workflows.sorted(by: { $0.key < $1.key }) {
                for (action, fields) in fields.sorted(by: { $0.key < $1.key }) {
                    let values = seen.removeValue(forKey: action) ?? [:]
                    let of = workflow.isEmpty ? own : workflow
                    forms.append(Self.form(of: action, of, fields, values))
                }
            }
        }
        // The code does not read these actions.
        for (action, values) in seen.sorted(by: { $0.key < $1.key }) where !values.isEmpty {
            forms.append(Self.form(of: action, nil, [], values))
        }
        return [
            "forms": .list(of: forms),
            "orders": .list(of: orders.map { .list(of: $0.map { .string($0) }) }),
        ]
    }

    private static func form(
        of action: String, _ workflow: String?, _ known: [ActionField], _ seen: [String: [Value]]
    ) -> Value {
        let others = seen.keys.filter { name in !known.contains { $0.name == name } }.sorted()
        let fields = (known + others.map { ActionField(name: $0) }).map { field -> Value in
            var record: Value.Record = [
                "name": .string(field.name), "seen": .list(of: seen[field.name] ?? []),
            ]
            if let kind = field.kind { record["kind"] = .string(kind.rawValue) }
            if field.isSet { record["sets"] = true }
            if let usual = field.usual { record["default"] = usual }
            return .record(record)
        }
        var record: Value.Record = ["action": .string(action), "fields": .list(of: fields)]
        if let workflow { record["workflow"] = .string(workflow) }
        return .record(record)
    }

    /// The last values of action fields, latest first.
    private func seenFields(hiding secrets: SecretTexts) -> [String: [String: [Value]]] {
        var seen: [String: [String: [Value]]] = [:]
        for input in inputs.suffix(Self.mostInputs).reversed() {
            guard case .action(let action, _) = input.kind,
                let fields = secrets.hiding(action).record,
                let type = fields["type"]?.string
            else { continue }
            if seen[type] == nil { seen[type] = [:] }
            for (name, value) in fields where name != "type" && !secrets.names.contains(name) {
                let values = seen[type]?[name] ?? []
                guard values.count < Self.mostSeen, !values.contains(value), value.isShort else {
                    continue
                }
                seen[type]?[name] = values + [value]
            }
        }
        return seen
    }
}

extension String {
    /// The name with which a file of a flow is required.
    fileprivate var moduleName: String { withoutLua.replacing("/", with: ".") }
}

extension Value {
    fileprivate var isShort: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 200
        case .list, .record: summary(maxLength: 201).count <= 200
        default: true
        }
    }
}
