public import PlainValue

/// An access that each run of a worker needs, by its author: `http={url}`, `process=git`.
///
/// It is checked before a run starts. A target in braces is a field of the input, a target without
/// braces is constant, and without a target the worker needs all of that kind.
public struct WorkerNeed: Sendable, Hashable {
    /// The kind of ``Access``.
    public let kind: String
    /// The target, or a field in braces.
    public let target: String?

    /// Makes a need from its text.
    ///
    /// ```swift
    /// let need = WorkerNeed("http={url}")  // the host of the URL in the field `url`
    /// ```
    public init(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        kind = parts.first.map(String.init) ?? ""
        target = parts.count == 2 ? String(parts[1]) : nil
    }

    /// The name of the field that holds the target.
    public var field: String? {
        guard let target, target.hasPrefix("{"), target.hasSuffix("}"), target.utf8.count > 2 else {
            return nil
        }
        return String(target.dropFirst().dropLast())
    }

    /// Returns the accesses of a run with `input`; none if the field is left out.
    ///
    /// ```swift
    /// print(try WorkerNeed("http={url}").accesses(of: ["url": "http://a.de"]))  // [http=a.de:80]
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` if a field is not a URL with a host.
    public func accesses(of input: Value) throws(WorkerError) -> [Access] {
        guard let field else { return [Access(kind, target)] }
        var targets: [String] = []
        switch input[field] {
        case .string(let text): targets = [text]
        case .list(let list): targets = list.compactMap(\.string)
        default: break
        }
        var accesses: [Access] = []
        for target in targets {
            accesses.append(kind == "http" ? try .http(url: target) : Access(kind, target))
        }
        return accesses
    }
}

extension WorkerNeed: ExpressibleByStringLiteral {
    /// Makes a need from its text.
    public init(stringLiteral text: String) { self.init(text) }
}

extension WorkerNeed: CustomStringConvertible {
    /// The text of the need.
    public var description: String { target.map { "\(kind)=\($0)" } ?? kind }
}
