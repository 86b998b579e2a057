import FlowExploring
import FlowPrinting
import FlowProtocol
import FlowREPL
import PlainValue
import Terminal
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

/// The findings as a test file, which fails until the flow is fixed.
struct ExplorationTest {
    let exploration: FlowExploration
    let flow: String
    let props: Value

    /// Writes the file; throws if it exists, or is not in the flow's folder.
    func write(to path: String) throws {
        guard resolvedPath(path) == nil else {
            throw Refusal(FlowError(.existingTest, printable(path)), .usage)
        }
        guard resolvedPath(folder(of: path)) == resolvedPath(folder(of: flow)) else {
            let better = "\(printable(folder(of: flow)))/\(printable(module))_found_test.lua"
            throw Refusal(FlowError(.testElsewhere, printable(path), better), .usage)
        }
        try writeFile(path, text)
    }

    var text: String {
        var lines = [
            "-- What workflow-run explore found: these tests fail until the flow is mended.",
            "local Flow = require \(Value.string(module))", "",
            "describe(\(Value.string(exploration.flow)), function()",
        ]
        let findings = exploration.findings.filter {
            if case .unreachable = $0.kind { false } else { true }
        }
        for (number, finding) in findings.enumerated() {
            if number > 0 { lines.append("") }
            lines += test(finding).map { $0.isEmpty ? "" : "    " + $0 }
        }
        return (lines + ["end)"]).joined(separator: "\n") + "\n"
    }

    private var module: String { flow.nameOfPath.withoutLua }

    private func folder(of path: String) -> String {
        path.contains("/") ? path.folderOfPath : "."
    }

    private func test(_ finding: FlowExploration.Finding) -> [String] {
        let name: String
        var end: [String] = []
        var beginning = ["local flow = workflow.test(Flow\(arguments))", "flow:loosely()"]
        var look: [String] = []
        switch finding.kind {
        case .error(let error): name = "does not fail: \(error.message)"
        case .deadEnd:
            let way = finding.steps.map(\.title).joined(separator: ", ")
            name = way.isEmpty ? "leads on" : "leads on after \(way)"
            end = ["error \"nothing that can be done here changes anything: say here what should\""]
        case .broken(let expression):
            name = "never: \(expression)"
            end = [
                "local state, rendering, props = flow.state, flow.rendering, \(props.luaSource)",
                "assert(not (\(expression)))",
            ]
        case .missed(let expression, _):
            name = "eventually: \(expression)"
            beginning += [
                "local came = false", "local function look()",
                "    local state, rendering, props = flow.state, flow.rendering, "
                    + "\(props.luaSource)", "    came = came or (\(expression))", "end",
            ]
            look = ["look()"]
            end = ["assert(came, \"it never came about\")"]
        // It has no way to write down.
        case .unreachable: return []
        }
        let body = beginning + look + finding.steps.flatMap { source($0) + look } + end
        return ["it(\(Value.string(name)), function()"] + body.map { "    " + $0 } + ["end)"]
    }

    /// The arguments of a test after the flow.
    private var arguments: String {
        props.record.map { $0.isEmpty ? "" : ", \(props.luaSource)" } ?? ""
    }

    private func source(_ step: ExploredStep) -> [String] {
        if let sink = step.sink {
            let path = sink.description
            let dot = path.isEmpty || path.hasPrefix("[") ? "" : "."
            let fields = step.fields.isEmpty ? "" : ", \(Value.record(step.fields).luaSource)"
            return ["flow:send(flow.rendering\(dot)\(path)\(fields))"]
        }
        return step.inputs.map { input in
            switch input {
            case .action(let action, _):
                return action.record?.count == 1 && action["type"]?.string != nil
                    ? "flow:send(\(action["type"]?.luaSource ?? ""))"
                    : "flow:send \(action.luaSource)"
            case .props(let props): return "flow:update \(props.luaSource)"
            case .worker(let news):
                var options: Value.Record = ["node": .string(news.node.description)]
                if !news.key.isEmpty { options["key"] = .string(news.key) }
                let worker =
                    "flow:worker(\(Value.string(news.worker)), \(Value.record(options).luaSource))"
                switch news.event {
                case .output(let output): return "\(worker):output(\(output.luaSource))"
                case .finished: return "\(worker):finish()"
                case .failed(let error): return "\(worker):fail(\(error.value.luaSource))"
                case .started, .cancelled, .abandoned: return "-- \(news.worker) \(news.event)"
                }
            }
        }
    }
}

extension Value {
    /// The value as Lua source in the body of a test.
    fileprivate var luaSource: String { LuaLiteral(indent: 8).text(self, after: 0) }
}
