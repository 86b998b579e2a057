import PlainValue
import TestSupport
import Testing

@testable import ProcessPlugin

@Suite(.timeLimit(.minutes(15))) struct LinesTests {
    private func lines(_ script: String, _ more: Value.Record = [:]) async throws -> [Value] {
        var input = more
        input["program"] = "sh"
        input["arguments"] = ["-c", .string(script)]
        let outputs = Outputs()
        try await Folder().start(
            "process.lines", .record(input), allow: ["process=sh"], into: outputs)
        return outputs.all
    }

    @Test func eachLineIsAnOutputAndTheExitCodeTheLast() async throws {
        #expect(
            try await lines(#"printf 'one\r\n\ntwo'; exit 4"#) == [
                ["stream": "stdout", "line": "one"], ["stream": "stdout", "line": ""],
                ["stream": "stdout", "line": "two"], ["exit_code": 4],
            ])
    }

    @Test func bothStreamsAreRead() async throws {
        let outputs = try await lines("echo out; echo err >&2; kill -TERM $$")
        #expect(outputs.count == 3)
        #expect(outputs.contains(["stream": "stdout", "line": "out"]))
        #expect(outputs.contains(["stream": "stderr", "line": "err"]))
        #expect(outputs.last == ["signal": "SIGTERM"])
    }

    @Test func aLongLineComesInPieces() async throws {
        let outputs = try await lines(
            "printf '%s\n' 0123456789abcdefghijé; echo short", ["max_bytes": 16])
        #expect(
            outputs == [
                ["stream": "stdout", "line": "0123456789abcdef", "continues": true],
                ["stream": "stdout", "line": "ghijé"], ["stream": "stdout", "line": "short"],
                ["exit_code": 0],
            ])
    }

    @Test func aLineArrivesWhenItIsWrittenNotAtTheEnd() async throws {
        let scene = try Folder()
        let outputs = Outputs()
        let run = Task {
            try await scene.start(
                "process.lines",
                ["program": "sh", "arguments": ["-c", "echo ready; exec sleep 1000"]],
                allow: ["process=sh"], into: outputs)
        }
        #expect(await outputs.lines(1) == ["ready"])
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    // MARK: Cutting

    private func split(_ chunks: [[UInt8]], limit: Int) -> [LineSplitter.Line] {
        var splitter = LineSplitter(limit: limit)
        var lines = chunks.flatMap { chunk in chunk.withUnsafeBytes { splitter.append($0) } }
        if let last = splitter.finish() { lines.append(last) }
        return lines
    }

    @Test func linesAreTheSameHoweverTheyArrive() {
        let bytes = Array("né\r\n\nlong enough to be cut, ä€😀ä€😀ä€😀 \nend".utf8) + [0xFF, 0xC3]
        let whole = split([bytes], limit: 16)
        #expect(split(bytes.map { [$0] }, limit: 16) == whole)
        #expect(
            whole.map(\.text) == [
                "né", "", "long enough to b", "e cut, ä€😀", "ä€😀ä€", "😀 ", "end\u{FFFD}\u{FFFD}",
            ])
        #expect(whole.map(\.continues) == [false, false, true, true, true, false, false])
    }

    @Test func bytesThatAreNoTextAreCutToo() {
        let lines = split([[UInt8](repeating: 0x80, count: 40)], limit: 16)
        #expect(lines.map(\.text.count) == [16, 16, 8])
    }
}
