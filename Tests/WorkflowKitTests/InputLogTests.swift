import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
@testable import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct InputLogTests {
    private let node = NodePath([.init(name: "flow"), .init(name: "row", key: "7 ü")])

    private func input(_ random: inout SeededNumbers) -> FlowInput {
        let values: [Value] = [
            .int(.min), .int(7), .double(-0.0), .double(1e300), "ü\u{0}\"", [:], [],
            ["a": [1, 2.0]], .null, true,
        ]
        let value = values.randomElement(using: &random) ?? .null
        let kinds: [FlowInput.Kind] = [
            .action(["type": "add", "value": value], node: node),
            .action("plain", node: NodePath([])), .props(["p": value]),
            .worker(WorkerNews(node: node, worker: "w", key: "k", event: .output(value))),
            .worker(WorkerNews(node: node, worker: "w", key: "", event: .finished)),
            .worker(
                WorkerNews(
                    node: node, worker: "w", key: "",
                    event: .failed(WorkerError("code", "message", help: "help")))),
        ]
        var input = FlowInput(
            kinds.randomElement(using: &random) ?? kinds[0],
            milliseconds: Int.random(in: -(1 << 53)...(1 << 53), using: &random),
            by: Bool.random(using: &random) ? "ann" : nil)
        if Int.random(in: 0..<8, using: &random) == 0 {
            input.refusals = [
                WorkerRefusal(worker: "w", input: value, error: WorkerError("no", "not granted"))
            ]
        }
        return input
    }

    @Test func inputsAreThoseOfAnArray() {
        var random = SeededNumbers.printed()
        var log = InputLog()
        var array: [FlowInput] = []
        for _ in 0..<20 {
            for _ in 0..<Int.random(in: 0...1500, using: &random) {
                let next = input(&random)
                log.append(next)
                array.append(next)
            }
            let count = Int.random(in: 0...array.count / 2, using: &random)
            log.removeLast(count)
            array.removeLast(count)
            #expect(log.count == array.count)
            for _ in 0..<20 where !array.isEmpty {
                let index = Int.random(in: array.indices, using: &random)
                #expect(log[index] == array[index])
            }
        }
        #expect(log.elementsEqual(array))
    }

    @Test func inputsThatRepeatTakeFewBytes() {
        var log = InputLog()
        for number in 0..<100_000 {
            let kind = FlowInput.Kind.action(["type": .string("tick \(number % 10)")], node: node)
            log.append(FlowInput(kind, milliseconds: 1_700_000_000_000 + number * 100))
        }
        #expect(log.byteCountOfBlocks < 5 * 100_000)
        #expect(log[12_345].milliseconds == 1_700_000_000_000 + 1_234_500)
    }

    /// Inputs that would not be read as they were written stay values.
    @Test func inputsThatCannotBeWrittenStay() {
        var log = InputLog()
        let odd = FlowInput(
            .worker(WorkerNews(node: node, worker: "w", key: "", event: .started)), milliseconds: 1)
        for _ in 0..<10_000 { log.append(odd) }
        #expect(log.count == 10_000)
        #expect(log.allSatisfy { $0 == odd })
        #expect(log.byteCountOfBlocks == 0)
    }
}
