import Terminal
import WorkflowLua

/// Help on the names of the Lua API, such as `context:sink` or `string.format`.
enum APIHelp {
    static var names: [String] { entries.map(\.name) }

    /// The help on a name, or on all members with this name; empty if there is none.
    static func lines(about name: String, _ style: Style) -> [String] {
        entries.filter { $0.name == name || $0.member.name == name }.flatMap { entry in
            lines(entry.name, entry.group, entry.member, style)
        }
    }

    private static let entries = HostAPI.groups.flatMap { group in
        group.members.map { (name: name(of: $0, in: group), group: group, member: $0) }
    }

    private static func name(of member: HostMember, in group: HostGroup) -> String {
        switch group.kind {
        case .globals, .record: member.name
        case .library: "\(group.name).\(member.name)"
        case .object: group.name + (member.parameters == nil ? "." : ":") + member.name
        }
    }

    private static func lines(
        _ name: String, _ group: HostGroup, _ member: HostMember, _ style: Style
    ) -> [String] {
        let parameters = member.parameters?.map { parameter in
            "\(parameter.name)\(parameter.isOptional ? "?" : ""): \(parameter.type)"
        }
        let list = parameters.map { "(\($0.joined(separator: ", ")))" } ?? ""
        let type = member.type.isEmpty ? "" : ": \(member.type)"
        let owner: String
        switch group.kind {
        case .record(let name), .object(let name): owner = style.dim("  in \(name)")
        case .globals, .library: owner = ""
        }
        var lines = [style.bold(name) + list + type + owner, "  \(member.summary)"]
        lines += member.example?.split(separator: "\n").map { "    \($0)" } ?? []
        return lines
    }
}
