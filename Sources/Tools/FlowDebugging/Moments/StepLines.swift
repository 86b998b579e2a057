import LuaVM
import WorkflowKit
import WorkflowLua

/// The lines that ran for an input, in order: the moments where a debugger can stop. Of a very long
/// run only a contiguous part is kept.
struct StepLines: Sendable {
    struct Line: Sendable, Hashable {
        /// The index of its file in ``StepLines/files``.
        var file: UInt16
        var line: UInt32
        /// The number of the call of a node's function, from 1; 0 while a file runs.
        var call: Int32
        var depth: Depth
    }

    /// The nesting depth of a call: the calls of nodes, and the functions within the innermost one.
    struct Depth: Sendable, Hashable, Comparable {
        var nodes: UInt16
        var functions: UInt16

        static func < (a: Depth, b: Depth) -> Bool {
            (a.nodes, a.functions) < (b.nodes, b.functions)
        }
    }

    /// The maximum number of lines to keep of a step.
    static let most = 1 << 18
    /// Their number for an input that did not end: the client waits for a stop in its loop.
    static let mostOfLoop = 1 << 16

    let most: Int
    /// The number of lines before those that are kept.
    let first: Int
    private var passed = 0
    /// The last lines, with negative indices, of the calls around the kept lines, and their depths.
    private var around: [(index: Int, call: Int32, nodes: UInt16)] = []
    private(set) var files: [String] = []
    private(set) var lines: [Line] = []
    /// True if there were more lines.
    private(set) var isCut = false
    var isFull: Bool { lines.count == most }
    var failure: FlowError? {
        didSet {
            // If it is played again, more lines may follow.
            if failure?.code.isCut ?? false { isCut = true }
        }
    }

    init(from first: Int = 0, most: Int = StepLines.most) {
        self.first = first
        self.most = most
    }

    /// Adds a line that is about to run; true if more lines can be added.
    mutating func add(_ call: TracedCall, _ moment: borrowing LuaMoment) -> Bool {
        passed += 1
        guard passed > first else {
            let nodes = UInt16(clamping: call.depth)
            while let last = around.last, last.nodes >= nodes { around.removeLast() }
            around.append((passed - 1 - first, Int32(clamping: call.number), nodes))
            return true
        }
        guard lines.count < most, let file = number(of: moment) else {
            isCut = true
            return false
        }
        lines.append(
            Line(
                file: file, line: UInt32(clamping: moment.line), call: Int32(clamping: call.number),
                depth: Depth(
                    nodes: UInt16(clamping: call.depth), functions: UInt16(clamping: moment.depth)))
        )
        return true
    }

    mutating func add(_ line: TestLine) {
        let file = files.firstIndex(of: line.location.file) ?? files.count
        if file == files.count { files.append(line.location.file) }
        lines.append(
            Line(
                file: UInt16(clamping: file), line: UInt32(clamping: line.location.line), call: 0,
                depth: Depth(
                    nodes: UInt16(clamping: line.nesting - 1),
                    functions: UInt16(clamping: line.depth))))
    }

    /// The number of the moment's file; `nil` if there are too many: each loaded text may be one.
    private mutating func number(of moment: borrowing LuaMoment) -> UInt16? {
        if let last = lines.last?.file, moment.isIn(chunk: files[Int(last)]) { return last }
        for index in files.indices where moment.isIn(chunk: files[index]) { return UInt16(index) }
        guard let number = UInt16(exactly: files.count) else { return nil }
        files.append(moment.call(at: 0)?.location.chunk ?? "")
        return number
    }

    func location(of index: Int) -> FlowError.Location {
        assert(lines.indices.contains(index))
        return FlowError.Location(
            file: files[Int(lines[index].file)], line: Int(lines[index].line))
    }

    /// The call of a line and its nesting depth; `nil` for an unknown line.
    func call(at index: Int) -> (number: Int32, nodes: UInt16)? {
        if lines.indices.contains(index) { return (lines[index].call, lines[index].depth.nodes) }
        return around.first { $0.index == index }.map { ($0.call, $0.nodes) }
    }

    /// The last line before an index in an enclosing call of a node; negative before the kept ones.
    func caller(of index: Int) -> Int? {
        guard let nodes = call(at: index)?.nodes else { return nil }
        return lines.prefix(max(index, 0)).lastIndex { $0.depth.nodes < nodes }
            ?? around.last { $0.nodes < nodes }?.index
    }
}
