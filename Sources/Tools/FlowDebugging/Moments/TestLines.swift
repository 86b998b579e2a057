package import LuaVM
import PlainValue
import WorkflowKit
package import WorkflowLua

/// A test whose flow is debugged. It can be run again, and does the same each time.
package protocol DebuggedTest: Sendable {
    /// The full name of the test.
    var name: String { get }
    /// The folder that the places of its lines are relative to.
    var folder: String { get }
    /// Runs it, and calls a function before each line of its own until that returns `false`; the
    /// result is the error, if the test failed.
    func run(
        _ onLine: @escaping (TestLine, borrowing LuaMoment) -> Bool
    ) throws(FlowError) -> FlowError?
}

/// The lines that a test runs between the inputs of its last flow.
final class TestLines {
    struct Hit {
        /// The index of the line.
        let line: Int
        /// The text that it logs, if it logs instead of stopping.
        var log: Result<String, FlowError>?
        /// The error of a condition that could not be evaluated.
        var failure: FlowError?
    }

    private let test: any DebuggedTest
    /// All lines in order, with absolute paths.
    private let lines: [TestLine]
    /// The error of the test, and the line that it is about, if that is one of these.
    private let failure: (error: FlowError, line: Int?)?
    /// True if it ran more lines.
    private let isCut: Bool
    /// The files with lines of the test, as absolute paths.
    let files: Set<String>
    /// The lines after each number of inputs of the last flow, of which its beginning is the first
    /// one. Each range is of lines for which the flow shows the same step.
    let ranges: [Int: [(lines: Range<Int>, step: Int)]]

    /// Runs the test; throws if its file does not load any more.
    init(_ test: any DebuggedTest) throws(FlowError) {
        var lines: [TestLine] = []
        let failure = try test.run { line, _ in
            var line = line
            line.location.file = test.path(of: line.location.file)
            line.rendering = .null
            lines.append(line)
            return lines.count < StepLines.mostOfLoop
        }
        self.test = test
        self.lines = lines
        files = Set(lines.map(\.location.file))
        ranges = Self.ranges(of: lines)
        isCut = lines.count == StepLines.mostOfLoop
        guard var error = failure, !isCut else {
            self.failure = nil
            return
        }
        let file = error.location.map { test.path(of: $0.file) }
        let line = lines.lastIndex {
            $0.location.file == file && $0.location.line == error.location?.line
        }
        // The error of a flow is about one of its own lines.
        if line != nil { error.location?.file = file ?? "" }
        self.failure = (error, line)
    }

    private static func ranges(of lines: [TestLine]) -> [Int: [(lines: Range<Int>, step: Int)]] {
        let flows = lines.last?.flows ?? 0
        var ranges: [Int: [(lines: Range<Int>, step: Int)]] = [:]
        for (index, line) in lines.enumerated() {
            let isEarlier = line.flows < flows
            let inputs = isEarlier ? 0 : line.inputs + 1
            let step = isEarlier ? 0 : line.step
            var known = ranges[inputs, default: []]
            if let last = known.last, last.step == step {
                known[known.count - 1].lines = last.lines.lowerBound..<index + 1
            } else {
                known.append((index..<index + 1, step))
            }
            ranges[inputs] = known
        }
        return ranges
    }

    var name: String { test.name }

    var outcome: String {
        if isCut {
            return "the test '\(name)' runs more than the \(lines.count) lines that are known"
        }
        guard let failure else { return "the test '\(name)' passed" }
        let place = failure.error.location.map { location in
            " at \(location.file.split(separator: "/").last ?? ""):\(location.line)"
        }
        return "the test '\(name)' failed\(place ?? ""): \(failure.error.message)"
    }

    // MARK: Lines

    func stepLines(_ range: Range<Int>) -> StepLines {
        assert(range.upperBound <= lines.count)
        var steps = StepLines()
        for line in lines[range] { steps.add(line) }
        steps.failure = error(in: range)
        return steps
    }

    /// The error of the test, if it is about one of the lines.
    func error(in range: Range<Int>) -> FlowError? {
        guard let failure, let line = failure.line, range.contains(line) else { return nil }
        return failure.error
    }

    func location(of line: Int) -> FlowError.Location { lines[line].location }

    func indices(of location: LuaLocation) -> [Int] {
        lines.indices.filter {
            lines[$0].location.line == location.line && lines[$0].location.file == location.chunk
        }
    }

    // MARK: Moments

    /// The content of the moment before a line runs.
    func content(at line: Int) throws(FlowError) -> MomentContent {
        var content = MomentContent()
        try run { [test] number, told, moment in
            if number == line {
                content.rendering = told.rendering
                content.readFrames(moment, of: test.name)
                for index in content.frames.indices {
                    let file = content.frames[index].location.file
                    content.frames[index].location.file = test.path(of: file)
                }
            }
            return number < line
        }
        return content
    }

    /// Calls a function at the moment before a line runs.
    func look(at line: Int, _ body: (borrowing LuaMoment) -> Void) throws(FlowError) {
        try run { number, _, moment in
            if number == line { body(moment) }
            return number < line
        }
    }

    /// The hits of a breakpoint at a line, in order.
    func hits(
        of breakpoint: Breakpoint, _ expressions: FrameExpressions, hiding secrets: SecretTexts
    ) throws(FlowError) -> [Hit] {
        guard let location = breakpoint.location else { return [] }
        let indices = indices(of: location)
        var hits = indices.map { Hit(line: $0) }
        if !breakpoint.isPlain, let last = indices.last {
            let wanted = Set(indices)
            hits = []
            try run { number, _, moment in
                if wanted.contains(number),
                    let hit = breakpoint.hit(line: number, moment, expressions, secrets)
                {
                    hits.append(hit)
                }
                return number < last
            }
        }
        var count = 0
        return hits.filter { _ in
            let next = breakpoint.nextHit(after: count)
            count += 1
            return next == count
        }
    }

    /// Runs the test again until a function returns `false`, which is given the index of each line.
    private func run(_ body: (Int, TestLine, borrowing LuaMoment) -> Bool) throws(FlowError) {
        var number = -1
        try withoutActuallyEscaping(body) { (body) throws(FlowError) in
            _ = try test.run { line, moment in
                number += 1
                return body(number, line, moment)
            }
        }
    }
}

extension DebuggedTest {
    fileprivate func path(of file: String) -> String { "\(folder)/\(file)" }
}

extension Breakpoint {
    /// The hit at a line of a test; `nil` if the condition does not hold.
    fileprivate func hit(
        line: Int, _ moment: borrowing LuaMoment, _ expressions: FrameExpressions,
        _ secrets: SecretTexts
    ) -> TestLines.Hit? {
        var hit = TestLines.Hit(line: line)
        do throws(FlowError) {
            if let condition,
                !(try expressions.holds(
                    condition, at: moment, callsFunctions: true, hiding: secrets))
            {
                return nil
            }
            if let log {
                let content = try log.content(
                    at: moment, expressions, callsFunctions: true, hiding: secrets)
                hit.log = .success(content.text)
            }
        } catch {
            if log == nil { hit.failure = error } else { hit.log = .failure(error) }
        }
        return hit
    }
}
