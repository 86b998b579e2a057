import FlowProtocol
import PlainValue
import Terminal
import WorkflowKit
import WorkflowLua

extension REPL {
    /// Writes a test that replays the session, next to the flow.
    func writeTest(_ name: String, _ reply: inout REPLReply) async throws(FlowError) {
        let isName = name.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber)
                || "-_".contains(character)
        }
        guard isName, !name.isEmpty else { throw FlowError(.badTestName) }
        guard !opened.isAttached else { throw FlowError(.attachedLater) }
        guard let file = opened.file else { throw FlowError(.noFileOfFlow) }
        guard let header = narrator.header, header.snapshot == nil else {
            throw FlowError(.restored)
        }
        let inputs = await session.inputs
        let status = await session.status
        let shown = status.step
        let entries = narrator.log.entries(of: inputs)
        var writer = TestWriter(
            flow: header.flow, module: file.nameOfPath.withoutLua, title: name, props: header.props,
            hiding: SecretTexts(options.flowOptions.secrets))
        if let first = recorded("rendering", narrator.log.firstRendering) { writer.begin(first) }
        for (input, entry) in zip(inputs, entries).prefix(shown) {
            writer.add(
                input, rendering: recorded("rendering", entry?.rendering),
                outputs: entry?.outputs.compactMap { recorded("output", $0) } ?? [],
                error: entry?.error)
        }
        writer.isLoose = status.hasRunningWorkers
        let path = "\(file.dropLast(file.nameOfPath.count))\(name)_test.lua"
        try writeNewFile(path, writer.text)
        reply.say(["  Wrote \(printable(path)), \(String.counted(shown, "step"))."])
    }

    /// A field of a recorded event.
    func recorded(_ field: String, _ place: Range<Int>?) -> Value? {
        place.flatMap { opened.feed.recording?.event(at: $0) }?[field]
    }
}
