import LuaSyntax
package import PlainValue
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// The most values of a field in a form.
    private static let mostSeen = 5
    /// The most inputs, from the end, that are searched for values.
    private static let mostInputs = 10_000

    /// The reply to the request `forms` of the JSON protocol.
    package func forms() -> Value { forms(hiding: secrets) }

    /// The fields that the code reads from each action, with the last values of each.
    func forms(hiding secrets: SecretTexts) -> Value {
        guard let texts = past.flow?.texts else { return ["forms": []] }
        var seen = seenFields(hiding: secrets)
        var modules: [String: [UInt8]] = [:]
        for (file, text) in texts { modules[file.moduleName] = text }
        let root = past.flow?.files.first { $0 == past.header?.file?.nameOfPath } ?? ""
        var forms: [Value] = []
        for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
            let own = file == root ? name : file.moduleName
            let workflows = ActionFields(source: text, modules: modules).workflows
            for (workflow, fields) in workflows.sorted(by: { $0.key < $1.key }) {
                for (action, names) in fields.sorted(by: { $0.key < $1.key }) {
                    let values = seen.removeValue(forKey: action) ?? [:]
                    let of = workflow.isEmpty ? own : workflow
                    forms.append(Self.form(of: action, of, names, values))
                }
            }
        }
        // The code does not read these actions.
        for (action, values) in seen.sorted(by: { $0.key < $1.key }) where !values.isEmpty {
            forms.append(Self.form(of: action, nil, [], values))
        }
        return ["forms": .list(of: forms)]
    }

    private static func form(
        of action: String, _ workflow: String?, _ names: [String], _ seen: [String: [Value]]
    ) -> Value {
        let others = seen.keys.filter { !names.contains($0) }.sorted()
        let fields = (names + others).map { name -> Value in
            ["name": .string(name), "seen": .list(of: seen[name] ?? [])]
        }
        var record: Value.Record = [
            "action": .string(action), "fields": .list(of: fields),
        ]
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
    /// True if the value is short enough for a form.
    fileprivate var isShort: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 200
        case .list, .record: summary(maxLength: 201).count <= 200
        default: true
        }
    }
}
