public import PlainValue
import WorkflowKit
public import WorkflowLua

/// The explanation of a value in a rendering, or of a node's last render: the step and the line
/// that made it, and its causes.
///
/// ```swift
/// let path = try ValuePath(parsing: "rows[1].done")
/// let origin = try await session.origin(of: path)
/// print(origin.path, origin.value ?? .null, "since step", origin.since)
/// for finding in origin.findings { print(finding.kind, finding.subject, finding.detail) }
/// ```
///
/// Steps are played again: lines are found by tracing, causes by rendering without changes.
public struct ValueOrigin: Sendable, Hashable {
    /// The path of the value in the rendering, or of the node.
    public var path: String
    /// The value; `nil` for a node.
    public var value: Value?
    /// The step that made the value; 0 is the beginning.
    public var since: Int
    /// The findings, from the rendering back to the sender of the action.
    public var findings: [Finding]

    /// One fact about the origin.
    public struct Finding: Sendable, Hashable {
        /// The subjects of findings.
        public enum Kind: String, Sendable, CaseIterable {
            /// The node and the line that wrote the value into its rendering.
            case rendered
            /// The node and the line that put a child's rendering with the value into its own.
            case placed
            /// A path in the state or props that the value depends on. For props, the location is
            /// the line of the parent that wrote them.
            case cause
            /// The line that wrote the path in the state.
            case write
            /// The call that ran the line, and its action.
            case call
            /// The sender of the action.
            case sender
            /// A value that the writing call read: of the action, of props, or a path of a state.
            case read
            /// A remark about the findings.
            case note
        }

        /// The subject of the finding.
        public var kind: Kind
        /// The node, path, call or sender.
        public var subject: String
        /// The line; `nil` if there is none.
        public var location: FlowError.Location?
        /// The text of the line, the action, or the way in which the fact was found.
        public var detail: String
        /// The time of an input in milliseconds since 1970; `nil` for other findings.
        public var milliseconds: Int?

        /// Makes a finding from its parts.
        ///
        /// - Parameters:
        ///   - kind: The subject of the finding.
        ///   - subject: The node, path, call or sender.
        ///   - location: The line; `nil` if there is none.
        ///   - detail: The text of the line, the action, or the way in which the fact was found.
        ///   - milliseconds: The time of an input, since 1970; `nil` for other findings.
        public init(
            _ kind: Kind, _ subject: String, at location: FlowError.Location? = nil,
            detail: String = "", milliseconds: Int? = nil
        ) {
            self.kind = kind
            self.subject = subject
            self.location = location
            self.detail = detail
            self.milliseconds = milliseconds
        }
    }

    /// Makes an origin from its parts.
    ///
    /// - Parameters:
    ///   - path: The path in the rendering, or of the node.
    ///   - value: The explained value; `nil` for a node.
    ///   - since: The step that made it; 0 is the beginning.
    ///   - findings: The facts, from the rendering back to the sender.
    public init(path: String, value: Value?, since: Int, findings: [Finding]) {
        self.path = path
        self.value = value
        self.since = since
        self.findings = findings
    }
}

extension ValueOrigin {
    /// The origin as a plain value for the protocol.
    package var document: Value {
        var record: Value.Record = [
            "path": .string(path), "since": .int(since),
            "findings": .list(Value.List(findings.map(\.document))),
        ]
        if let value { record["value"] = value }
        return .record(record)
    }

    package init?(document: Value) {
        guard let path = document["path"]?.string, let since = document["since"]?.natural else {
            return nil
        }
        self.init(
            path: path, value: document["value"], since: since,
            findings: (document["findings"]?.list ?? []).compactMap(Finding.init(document:)))
    }
}

extension ValueOrigin.Finding {
    fileprivate var document: Value {
        var record: Value.Record = ["kind": .string(kind.rawValue), "subject": .string(subject)]
        if !detail.isEmpty { record["detail"] = .string(detail) }
        if let milliseconds { record["at"] = .int(milliseconds) }
        if let location {
            record["file"] = .string(location.file)
            record["line"] = .int(location.line)
        }
        return .record(record)
    }

    fileprivate init?(document: Value) {
        guard let kind = document["kind"]?.string.flatMap(Kind.init),
            let subject = document["subject"]?.string
        else { return nil }
        var location: FlowError.Location?
        if let file = document["file"]?.string, let line = document["line"]?.natural {
            location = FlowError.Location(file: file, line: line)
        }
        self.init(
            kind, subject, at: location, detail: document["detail"]?.string ?? "",
            milliseconds: document["at"]?.time)
    }
}

extension Value {
    /// A short form of the value; a sink is shown by its action.
    package var originText: String {
        actionType(ofSink: self).map { "a sink of \($0)" } ?? withoutSinks.summary(maxLength: 60)
    }
}
