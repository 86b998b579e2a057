public import PlainValue
import WorkflowKit
public import WorkflowLua

/// Why a value in the rendering of a session is what it is, or why a node was rendered last: since which step, which
/// line made it, and what it hangs on.
///
/// All of it was found by playing steps again: lines by looking after each, causes by putting back what had changed and
/// rendering once more.
public struct ValueOrigin: Sendable, Hashable {
    /// The place of the value in the rendering, or the path of the node.
    public var path: String
    /// The value; `nil` for a node.
    public var value: Value?
    /// The step since which it is so; 0 is the beginning.
    public var since: Int
    /// What was found, from the rendering back to who sent the action.
    public var findings: [Finding]

    /// A fact about where a value comes from.
    public struct Finding: Sendable, Hashable {
        /// What a finding tells.
        public enum Kind: String, Sendable, CaseIterable {
            /// Which node and line put the value into its rendering.
            case rendered
            /// Which node and line put the rendering of a child, in which the value lies, into its own.
            case placed
            /// A path of state or props on which it hangs. For props, the line of the parent that made them.
            case cause
            /// The line that wrote the path of the state.
            case write
            /// The call in which that was, and its action.
            case call
            /// Who sent the action.
            case sender
            /// Something to know about what was found.
            case note
        }

        /// What the finding tells.
        public var kind: Kind
        /// The node, path, call or sender.
        public var subject: String
        /// The line; `nil` if there is none.
        public var location: FlowError.Location?
        /// What stands in the line, the action, or how it was found.
        public var detail: String
        /// When an input came, in milliseconds since 1970; `nil` for what is none.
        public var milliseconds: Int?

        /// A finding from its parts.
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

    /// An origin from its parts.
    public init(path: String, value: Value?, since: Int, findings: [Finding]) {
        self.path = path
        self.value = value
        self.since = since
        self.findings = findings
    }
}

extension ValueOrigin {
    /// The origin as one plain value, for the protocol.
    package var document: Value {
        var record: Value.Record = [
            "path": .string(path), "since": .int(since),
            "findings": .list(Value.List(findings.map(\.document))),
        ]
        if let value { record["value"] = value }
        return .record(record)
    }

    /// The origin that a document holds; `nil` if it holds none.
    package init?(document: Value) {
        guard let path = document["path"]?.string, let since = document["since"]?.int else {
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
        if let file = document["file"]?.string, let line = document["line"]?.int {
            location = FlowError.Location(file: file, line: line)
        }
        self.init(
            kind, subject, at: location, detail: document["detail"]?.string ?? "",
            milliseconds: document["at"]?.int)
    }
}

extension Value {
    /// The value in a few words; a sink is told by its action.
    package var originText: String {
        actionType(ofSink: self).map { "a sink of \($0)" } ?? withoutSinks.summary(maxLength: 60)
    }
}
