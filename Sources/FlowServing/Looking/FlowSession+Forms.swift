import LuaSyntax
package import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// How many values of a field are remembered.
    private static let mostSeen = 5
    /// How many of the latest inputs are looked at for values.
    private static let mostInputs = 10_000

    /// What the actions of the flow are made of, as the request `forms` of the JSON protocol is told.
    package func forms() -> Value { forms(hiding: secrets) }

    /// What the actions of a flow are made of: the fields that its code reads of them, and values that they had.
    func forms(hiding secrets: SecretTexts) -> Value {
        guard let texts = player.flow?.texts else { return ["forms": []] }
        var seen = seenFields(hiding: secrets)
        var modules: [String: [UInt8]] = [:]
        for (file, text) in texts { modules[file.moduleName] = text }
        let root = player.flow?.files.first { $0 == source.file?.fileName } ?? ""
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
        // Actions of which the code tells nothing.
        for (action, values) in seen.sorted(by: { $0.key < $1.key }) where !values.isEmpty {
            forms.append(Self.form(of: action, nil, [], values))
        }
        return ["forms": .list(Value.List(forms))]
    }

    private static func form(
        of action: String, _ workflow: String?, _ names: [String], _ seen: [String: [Value]]
    ) -> Value {
        let others = seen.keys.filter { !names.contains($0) }.sorted()
        let fields = (names + others).map { name -> Value in
            ["name": .string(name), "seen": .list(Value.List(seen[name] ?? []))]
        }
        var record: Value.Record = [
            "action": .string(action), "fields": .list(Value.List(fields)),
        ]
        if let workflow { record["workflow"] = .string(workflow) }
        return .record(record)
    }

    /// The last values of the fields of actions, the latest first.
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

    private var source: FlowSource { player.source ?? .text("") }
}

extension FlowSource {
    fileprivate var file: String? { if case .file(let path) = self { path } else { nil } }
}

extension String {
    /// The last component of a path.
    fileprivate var fileName: String { split(separator: "/").last.map(String.init) ?? self }

    /// The name by which a file of a flow is required.
    fileprivate var moduleName: String {
        let name = hasSuffix(".lua") ? String(dropLast(4)) : self
        return name.replacing("/", with: ".")
    }
}

extension Value {
    /// Whether it is worth being offered again.
    fileprivate var isShort: Bool {
        switch self {
        case .string(let text): text.utf8.count <= 200
        case .list, .record: summary(maxLength: 201).count <= 200
        default: true
        }
    }
}
