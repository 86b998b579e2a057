import PlainValue
import WorkflowKit
import WorkflowLua

/// Something at which a debugger stops, or logs.
struct Breakpoint {
    /// Where it holds.
    enum Place: Hashable {
        /// Before a line is run; the file is relative to the flow's folder.
        case line(file: String, line: Int)
        /// At the first line of a call, by patterns in which `*` stands for anything.
        case call(node: String?, phase: String)
        /// After the line that changed a path of a node's state.
        case state(node: String, path: ValuePath)
        /// At the end of the step that changed a path of the rendering.
        case rendering(path: ValuePath)
    }

    let id: Int
    let place: Place
    var condition: FrameExpression?
    var hitCondition: HitCondition?
    /// What it logs in place of stopping.
    var log: LogText?

    /// The names that are read where it holds.
    var names: Set<String> { Set(condition?.names ?? []).union(log?.names ?? []) }

    /// A call breakpoint as it is typed: `render`, `apply.toggle`, or `item:*/apply.*` with the path of nodes.
    static func place(ofCall typed: String) -> Place {
        guard let slash = typed.lastIndex(of: "/") else { return .call(node: nil, phase: typed) }
        return .call(
            node: String(typed[..<slash]), phase: String(typed[typed.index(after: slash)...]))
    }
}

/// Which of the hits of a breakpoint count: `3`, `>= 3`, `% 2` and the like.
struct HitCondition {
    private enum Kind { case equal, atLeast, above, atMost, below, every }

    private let kind: Kind
    private let number: Int

    /// `nil` if the text is none.
    init?(_ typed: String) {
        let text = typed.filter { !$0.isWhitespace }
        let kinds: [(String, Kind)] = [
            ("==", .equal), (">=", .atLeast), ("<=", .atMost), ("%", .every), (">", .above),
            ("<", .below), ("=", .equal), ("", .equal),
        ]
        for (sign, kind) in kinds where text.hasPrefix(sign) {
            guard let number = Int(text.dropFirst(sign.count)), number > 0 else { return nil }
            self.kind = kind
            self.number = number
            return
        }
        return nil
    }

    /// Whether the n-th hit counts.
    func holds(_ n: Int) -> Bool {
        switch kind {
        case .equal: n == number
        case .atLeast: n >= number
        case .above: n > number
        case .atMost: n <= number
        case .below: n < number
        case .every: n % number == 0
        }
    }
}

extension String {
    /// Whether the text is as a pattern says, in which `*` stands for any characters.
    func fits(pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return self == pattern }
        guard hasPrefix(parts[0]) else { return false }
        var rest = dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
