import LuaSyntax
import PlainValue
package import WorkerKit
import WorkflowLua
package import WorkflowPlugins

/// A grant that a flow needs for a worker that it names in `context:run`.
package struct NeededGrant {
    /// The access, with an absolute path for a file; without a target if the text shows none.
    package let access: Access
    package let worker: String
    /// The place of the call, `file:line`; nil if it was found by playing the flow.
    package let place: String?

    package init(access: Access, worker: String, place: String?) {
        self.access = access
        self.worker = worker
        self.place = place
    }

    /// The grants that a flow's file and its modules need, in the order of the text, without
    /// duplicates. A file that cannot be read and an unknown worker need none. Relative paths in
    /// inputs start from `folder`, which is absolute.
    package static func all(
        ofFlow flow: String, registry: WorkerRegistry, folder: String
    ) -> [NeededGrant] {
        var finder = NeededGrantFinder(registry: registry, grants: Grants(folder: folder))
        finder.read(flow)
        return finder.found
    }
}

private struct NeededGrantFinder {
    let registry: WorkerRegistry
    /// Makes paths absolute.
    let grants: Grants
    private(set) var found: [NeededGrant] = []
    private var accesses: Set<Access> = []

    init(registry: WorkerRegistry, grants: Grants) {
        self.registry = registry
        self.grants = grants
    }

    mutating func read(_ flow: String) {
        let folder = flow.folderOfPath
        var visited: Set<String> = []
        var waiting = [flow]
        while let path = waiting.popLast() {
            guard let file = try? SourceFiles([path]).files.first, let source = file.source,
                visited.insert(file.resolved).inserted
            else { continue }
            for call in source.calls {
                if let module = call.requiredModule {
                    let name = FlowModules.file(of: module)
                    waiting.append(folder.isEmpty ? name : "\(folder)/\(name)")
                } else if call.method == "run", let worker = call.arguments.first?.text {
                    read(call, of: worker, at: "\(file.path):\(call.place.line)")
                }
            }
        }
    }

    private mutating func read(_ call: LuaCallExpression, of name: String, at place: String) {
        guard let worker = try? registry.worker(named: name) else { return }
        let input = call.argument(1)?.known ?? .constant(.null)
        for need in worker.needs {
            for access in need.accesses(of: input) {
                let access = grants.compared(access)
                guard accesses.insert(access).inserted else { continue }
                found.append(NeededGrant(access: access, worker: name, place: place))
            }
        }
    }
}

extension LuaExpression {
    /// The texts of a literal or of a list of literals; nil if one of them is unknown.
    fileprivate var literals: [String]? {
        switch self {
        case .constant: text.map { [$0] } ?? []
        case .table(let table):
            table.fields.reduce([]) { texts, field in
                guard case .position = field.key, let text = field.value.known.text else {
                    return nil
                }
                return texts.map { $0 + [text] }
            }
        default: nil
        }
    }
}

extension WorkerNeed {
    /// The accesses of a worker with this input, as far as the text shows them.
    fileprivate func accesses(of input: LuaExpression) -> [Access] {
        guard let field else { return [Access(kind, target)] }
        switch input {
        case .constant: return []
        case .table(let table):
            guard let value = table[field]?.value.known else {
                return table.isClosed ? [] : [Access(kind, nil)]
            }
            guard let texts = value.literals else { return [Access(kind, nil)] }
            return texts.compactMap { kind == "http" ? try? .http(url: $0) : Access(kind, $0) }
        default: return [Access(kind, nil)]
        }
    }
}
