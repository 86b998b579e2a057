public import PlainValue
import Workflow
public import WorkflowLua

extension FlowSnapshot {
    /// The snapshot as one plain value, for a JSON file or a database.
    ///
    /// Its nodes are a flat list, each before its children and with its path.
    ///
    /// - Warning: Secrets in the states are not masked.
    public var document: Value {
        var nodes: [Value] = []
        addDocument(of: tree.root, below: [], to: &nodes)
        var record: Value.Record = [
            "workflow_snapshot": .int(Self.documentVersion), "flow": .string(flow),
            "files": .record(Value.Record(files.map { ($0, .string($1)) })),
            "at": .string(rfc3339(milliseconds: milliseconds)),
            "random": .string(random.text), "props": props, "nodes": .list(of: nodes),
        ]
        record["by"] = principal.map { .string($0) }
        record["began"] = startTime.map { .string(rfc3339(milliseconds: $0)) }
        if !refusals.isEmpty {
            record["refused"] = .list(Value.List(refusals.map { .record($0.document) }))
        }
        return .record(record)
    }

    private func addDocument(
        of node: TreeSnapshot.Node, below parents: [NodePath.Component], to nodes: inout [Value]
    ) {
        let path = NodePath(parents + [NodePath.Component(name: node.name, key: node.key)])
        var record: Value.Record = ["path": .string(path.description)]
        if let inputs = node.inputs { record["props"] = inputs }
        if let state = node.state {
            if let version = state.version { record["version"] = .int(version) }
            if let definition = state.definition { record["definition"] = .string(definition) }
            record["state"] = state.value
        }
        if let workers = workers[path] {
            record["workers"] = .list(of: workers.map(\.document))
        }
        nodes.append(.record(record))
        for child in node.children { addDocument(of: child, below: path.components, to: &nodes) }
    }

    /// The ``document`` as a JSON text, with a checksum that reveals damage.
    public var json: String { sealedDocument.json }

    /// The ``json`` on many lines, for people.
    public var prettyJSON: String { sealedDocument.prettyJSON }

    private var sealedDocument: Value {
        let document = document
        guard case .record(var fields) = document else { return document }
        fields["sum"] = .string(TextSum.digits(of: document.json.utf8))
        return .record(fields)
    }

    /// Parses a snapshot in JSON.
    ///
    /// ```swift
    /// var snapshot = try FlowSnapshot(json: text.utf8)
    /// snapshot.isLenient = true  // for a flow that has changed since
    /// ```
    ///
    /// - Throws: A `FlowError` with the code `snapshot`, also if the checksum is wrong.
    public init(json bytes: some Sequence<UInt8>) throws(FlowError) {
        let document: Value
        do throws(JSONError) {
            document = try Value(json: bytes, limits: Self.limits)
        } catch {
            throw FlowError(.snapshotWithoutJSON, error)
        }
        if case .record(var fields) = document, let sum = fields.removeValue(forKey: "sum") {
            guard sum.string == TextSum.digits(of: Value.record(fields).json.utf8) else {
                throw FlowError(.damagedSnapshot)
            }
        }
        try self.init(document: document)
    }

    /// True if the text is a snapshot, even one that cannot be restored.
    package static func isSnapshot(json bytes: [UInt8]) -> Bool {
        // The mark is the last field, so a look at the end saves reading a large text.
        let isWhole =
            bytes.first == UInt8(ascii: "{")
            && String(decoding: bytes.suffix(64), as: UTF8.self).contains("\"workflow_snapshot\"")
        return isWhole || (try? Value(json: bytes, limits: limits))?["workflow_snapshot"] != nil
    }

    /// Reads a snapshot from a document.
    ///
    /// - Throws: A `FlowError` with the code `snapshot` that names the fault and its place.
    public init(document: Value) throws(FlowError) {
        guard let version = document["workflow_snapshot"] else { throw FlowError(.noSnapshot) }
        guard version == .int(Self.documentVersion) else {
            throw FlowError(.snapshotVersion, version.summary(maxLength: 20))
        }
        flow = try document.text("flow", of: "the snapshot")
        var files: [String: String] = [:]
        for (file, hash) in document["files"]?.record ?? [:] {
            // No file has a longer name, and a hostile one would take long to hash.
            guard file.utf8.count <= 1024 else { throw FlowError(.longFileName) }
            files[file] = hash.string
        }
        self.files = files
        let at = try document.text("at", of: "the snapshot")
        guard let at = WorkflowKit.milliseconds(rfc3339: at) else {
            throw FlowError(.badTimeOfSnapshot)
        }
        milliseconds = at
        guard let random = RandomState(try document.text("random", of: "the snapshot"))
        else { throw FlowError(.badRandomState) }
        self.random = random
        principal = document["by"]?.string
        startTime = document["began"]?.moment
        refusals = (document["refused"]?.list ?? []).compactMap(WorkerRefusal.init)
        props = document["props"] ?? [:]
        var reader = NodeReader()
        for node in document["nodes"]?.list ?? [] { try reader.read(node) }
        guard let root = reader.finish() else { throw FlowError(.noField, "the snapshot", "nodes") }
        tree = TreeSnapshot(root: root)
        workers = reader.workers
    }

    /// The limits of a document, which may be larger than a single value of a flow.
    private static let limits = ValueLimits(
        depth: ValueLimits.document.depth, count: 100_000_000, byteCount: 1 << 30)
}

/// Assembles the nodes of a document to a tree, without recursion: the document may be hostile.
private struct NodeReader {
    /// The ancestors of the next node, each without its last child.
    private var open: [TreeSnapshot.Node] = []
    private var components: [NodePath.Component] = []
    private(set) var workers: [NodePath: [FlowNode.Worker]] = [:]

    mutating func read(_ value: Value) throws(FlowError) {
        let text = try value.text("path", of: "a node of the snapshot")
        guard let path = NodePath(text), let own = path.components.last else {
            throw FlowError(.badNode, text)
        }
        let depth = path.components.count - 1
        while open.count > max(depth, 1) { closeLast() }
        guard depth == open.count, components.elementsEqual(path.components.dropLast()) else {
            throw FlowError(.orphan, path)
        }
        // No host renders a deeper tree, for which recursive code would run out of stack.
        guard depth < 2000 else { throw FlowError(.deepSnapshot) }
        var node = TreeSnapshot.Node(name: own.name, key: own.key)
        if let version = try value.natural("version", .snapshot, of: "a node of the snapshot") {
            node.state = StateSnapshot(
                value["state"] ?? .null, version: version,
                definition: value["definition"]?.string)
        } else if let state = value["state"] {
            node.state = StateSnapshot(state)
        }
        node.inputs = value["props"]
        if let list = value["workers"]?.list {
            var known: [FlowNode.Worker] = []
            for worker in list { known.append(try FlowNode.Worker(document: worker)) }
            workers[path] = known
        }
        open.append(node)
        components.append(own)
    }

    mutating func finish() -> TreeSnapshot.Node? {
        while open.count > 1 { closeLast() }
        return open.first
    }

    private mutating func closeLast() {
        let node = open.removeLast()
        components.removeLast()
        open[open.count - 1].children.append(node)
    }
}

extension FlowNode.Worker {
    var document: Value {
        var record: Value.Record = [
            "worker": .string(name), "input": input, "ended": .bool(hasEnded),
        ]
        if !key.isEmpty { record["key"] = .string(key) }
        if let started { record["started"] = .string(rfc3339(milliseconds: started)) }
        if step > 0 { record["step"] = .int(step) }
        if attempt > 1 { record["attempt"] = .int(attempt) }
        if paused > 0 { record["paused"] = .int(paused) }
        if !refused.isEmpty { record["refused"] = .list(of: refused.map(\.document)) }
        return .record(record)
    }

    init(document: Value) throws(FlowError) {
        let what = "a worker of the snapshot"
        self.init(
            name: try document.text("worker", of: what), key: document["key"]?.string ?? "",
            input: document["input"] ?? [:],
            started: document["started"]?.moment, hasEnded: document["ended"]?.bool ?? false,
            step: try document.natural("step", .snapshot, of: what) ?? 0,
            attempt: try document.natural("attempt", .snapshot, of: what) ?? 1,
            paused: try document.natural("paused", .snapshot, of: what) ?? 0,
            refused: (document["refused"]?.list ?? []).compactMap(RefusedOutput.init))
    }
}

extension Value {
    fileprivate func text(_ field: String, of what: String) throws(FlowError) -> String {
        guard let text = self[field]?.string else { throw FlowError(.noField, what, field) }
        return text
    }
}
