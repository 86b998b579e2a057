import FlowChecking
import LuaVM
import PlainValue
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The grants that a flow needs and does not have.
struct FlowGrants: Sendable {
    /// The path of the flow's file as it was typed.
    let flow: String
    let props: Value
    let limits: LuaVM.Options
    let registry: WorkerRegistry
    let grants: Grants

    init(flow: String, options: FlowOptions) {
        self.flow = flow
        props = options.props
        limits = options.limits
        registry = options.plugins
        grants = options.grants
    }

    /// The missing grants of its text and of its first rendering, without duplicates. For a worker
    /// whose target the text does not show, the targets of the first rendering count. Such a worker
    /// needs nothing more if the user granted any target of its kind.
    var missing: [NeededGrant] {
        let named = NeededGrant.all(ofFlow: flow, registry: registry, folder: grants.folder)
            .filter { !isGranted($0.access) }
        guard !named.isEmpty else { return [] }
        let first = FirstAccesses.needed(
            byFlow: flow, props: props, limits: limits, registry: registry, grants: grants)
        let known = Set(first.map { "\($0.worker) \($0.access.kind)" })
        let later = named.filter { need in
            need.access.target != nil || !known.contains("\(need.worker) \(need.access.kind)")
        }
        var seen: Set<Access> = []
        return (first.filter { !isGranted($0.access) } + later).filter { need in
            seen.insert(need.access).inserted
        }
    }

    private func isGranted(_ access: Access) -> Bool {
        if access.target == nil { return grants.haveAny(of: access.kind) }
        do throws(WorkerError) { try grants.check(access) } catch { return false }
        return true
    }

    /// The options that grant a refused access and all else that the flow needs, ready to copy.
    func advice(refused: Access) -> String {
        let missing = missing.filter { $0.access != refused }
        let options = ([refused] + missing.map(\.access)).map(\.option)
        var advice = "grant "
        advice += options.count == 1 ? "it with " : "what the flow needs with "
        advice += options.joined(separator: " ")
        if let need = missing.first(where: { $0.access.target == nil }), let place = need.place {
            advice +=
                "; which \(need.access.noun) it is turns out only when \(place) runs, so "
                + "--allow \(need.access.kind) grants them all"
        }
        if let list { advice += "; --allow @\(list) grants what the list beside the flow says" }
        return advice
    }

    /// The path of the file `grants` beside the flow, if it exists.
    private var list: String? {
        let folder = flow.lastIndex(of: "/").map { String(flow[...$0]) } ?? ""
        let path = "\(folder)grants"
        guard resolvedPath(path) != nil, !FilePath.isFolder(path) else { return nil }
        return path.shellQuoted
    }
}

extension Access {
    /// The option that grants the access, quoted for a shell.
    fileprivate var option: String { "--allow \(description.shellQuoted)" }

    fileprivate var noun: String {
        switch kind {
        case "http": "host"
        case "process": "program"
        case "process.env": "variable"
        default: kind == "file" || kind.hasPrefix("file.") ? "file" : "target"
        }
    }
}
