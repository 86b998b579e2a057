import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

struct Breakpoint {
    enum Place: Hashable {
        /// Before a line runs. The file is relative to the flow's folder.
        case line(file: String, line: Int)
        /// At the first line of a call. `*` in a pattern stands for any text.
        case call(node: String?, phase: String)
        /// After the line that changed a path of a node's state.
        case state(node: NodePath, path: ValuePath)
        /// At the end of the step that changed a path of the rendering.
        case rendering(path: ValuePath)
    }

    let id: Int
    let place: Place
    var condition: FrameExpression?
    var hitCondition: HitCondition?
    /// The text that it logs instead of stopping.
    var log: LogText?

    var location: LuaLocation? {
        if case .line(let file, let line) = place {
            LuaLocation(chunk: file, line: line)
        } else {
            nil
        }
    }

    /// True if nothing has to be evaluated at the breakpoint.
    var isPlain: Bool { condition == nil && log == nil }

    /// The first hit after the n-th one that stops, if any.
    func nextHit(after n: Int) -> Int? {
        guard let hitCondition else { return n + 1 }
        return hitCondition.next(after: n)
    }

    /// Reads a call breakpoint: `render`, `apply.toggle`, or `item:*/apply.*` with a node path.
    static func place(ofCall typed: String) -> Place {
        guard let slash = typed.lastIndex(of: "/") else { return .call(node: nil, phase: typed) }
        return .call(
            node: String(typed[..<slash]), phase: String(typed[typed.index(after: slash)...]))
    }
}

extension Breakpoint.Place {
    /// The reason why nothing may ever stop at a call, by the functions of the nodes that were
    /// rendered so far; `nil` if something may.
    func problem(among functions: [(node: String, phase: FlowPhase)]) -> String? {
        guard case .call(let node, let phase) = self else { return nil }
        // A node's name is at the end of its path, before its key.
        let name = node?.split(separator: "/").last?.prefix { $0 != ":" } ?? "*"
        let phases = functions.filter { $0.node.fits(pattern: String(name)) }.map(\.phase)
        guard !phases.isEmpty else { return "No node '\(name)' was rendered so far." }
        let isKnown = phases.contains { known in
            known.description.fits(pattern: phase)
                || known == .apply(nil) && phase.hasPrefix("apply.")
        }
        if isKnown || "on_output".fits(pattern: phase) { return nil }
        let names = Set(phases.map(\.description)).sorted()
        let near = didYouMean(phase, among: names)
        return "No node that was rendered so far has a function '\(phase)'"
            + (near.isEmpty ? "; there are \(names.prefix(8).joined(separator: ", "))." : near)
    }
}

/// A condition on the number of hits: `3`, `>= 3`, `% 2` and the like.
struct HitCondition {
    private enum Kind { case equal, atLeast, above, atMost, below, every }

    private let kind: Kind
    private let number: Int

    init?(_ typed: String) {
        let text = typed.filter { !$0.isWhitespace }
        let kinds: [(String, Kind)] = [
            ("==", .equal), (">=", .atLeast), ("<=", .atMost), ("%", .every), (">", .above),
            ("<", .below), ("=", .equal), ("", .equal),
        ]
        for (sign, kind) in kinds where text.hasPrefix(sign) {
            guard let number = Int(natural: text.dropFirst(sign.count)), number > 0 else {
                return nil
            }
            self.kind = kind
            self.number = number
            return
        }
        return nil
    }

    /// The first matching hit after the n-th one, if any.
    func next(after n: Int) -> Int? {
        assert(n >= 0 && number > 0)
        return switch kind {
        case .equal: n < number ? number : nil
        case .atLeast: max(n + 1, number)
        case .above: max(n, number) + 1
        case .atMost: n < number ? n + 1 : nil
        case .below: n + 1 < number ? n + 1 : nil
        case .every: (n / number + 1) * number
        }
    }
}

extension String {
    /// True if the text matches a pattern, in which `*` stands for any characters.
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
