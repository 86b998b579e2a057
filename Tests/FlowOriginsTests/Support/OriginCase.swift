import FlowOrigins
import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// A flow with marks at the lines where a value comes from.
///
/// `--R` is the line that renders it, `--L` a parent's line that places it, `--P` a line that makes
/// props on the way, `--W` a line that writes the state, and `--S` a line that returns an output.
struct OriginCase: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
        case send(Value, NodePath? = nil)
        case props(Value)
        case output(Value, of: String, in: NodePath)
    }

    let name: String
    var modules: [String: String] = [:]
    var props: Value = [:]
    var steps: [Step] = []
    let path: String
    var since: Int
    /// The paths in states and in the root's props that are its causes.
    let causes: [String]
    let sender: String
    let flow: String

    var testDescription: String { name }

    func places(of mark: String) -> [String] {
        var places: [String] = []
        let files = [("main.lua", flow)] + modules.map { ("\($0.key).lua", $0.value) }
        for (file, text) in files {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated() where line.contains("--\(mark)")
            { places.append("\(file):\(index + 1)") }
        }
        return places.sorted()
    }

    func play(
        journal: FlowJournal? = nil, isolation: LuaVM.Options.Isolation = .none
    ) async throws -> FlowSession {
        var options = FlowOptions()
        options.props = props
        options.runsWorkers = false
        options.journal = journal
        options.isolation = isolation
        let session = try await FlowSession.open(
            .text(flow, name: "main.lua", modules: modules), options: options)
        for step in steps {
            switch step {
            case .send(let action, let node): try await session.send(action, to: node)
            case .props(let props): try await session.update(props: props)
            case .output(let output, let worker, let node):
                try await session.play(
                    .worker(
                        WorkerNews(
                            node: node, worker: worker, key: "", event: .output(output))))
            }
        }
        return session
    }
}

extension ValueOrigin {
    /// The places of findings of a kind, without duplicates.
    func places(_ kind: Finding.Kind) -> [String] {
        Set(findings.filter { $0.kind == kind }.compactMap { $0.location?.description }).sorted()
    }

    /// The subjects of findings of a kind without a line.
    func subjects(_ kind: Finding.Kind) -> [String] {
        findings.filter { $0.kind == kind && $0.location == nil }.map(\.subject)
    }
}
