import LuaVM
import PlainValue
import Workflow
import WorkflowLua

/// A flow from any text: it is refused or plays. All its sinks are sent, then other actions.
enum FlowTarget: FuzzTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        play(String(decoding: bytes, as: UTF8.self))
    }

    static func play(_ source: String) {
        var options = LuaFlow.Options(limits: .fuzzing, checksRenders: true)
        options.onPrint = { _ = $0.message }
        do throws(FlowError) {
            let flow = try LuaFlow(source: source, name: "t.lua", options: options)
            let host = WorkflowHost(
                workflow: flow.workflow(props: ["a": [1, "b"]]),
                options: HostOptions(
                    maximumDepth: 50,
                    onReport: { report in
                        _ = report.description
                    }))
            for sink in sinks(in: host.rendering.value).prefix(4) { send(sink, flow, host) }
            for type in ["go", "add", "a"] {
                _ = try? flow.send(.string(type), to: NodePath([.init(name: flow.name)]), in: host)
            }
            host.update(workflow: flow.workflow(props: ["b": 2]))
            let again = try? encoding(of: host.rendering.value)
            guard again != nil else { contradiction("a rendering that is not plain") }
        } catch {
            _ = error.description
        }
    }

    private static func send(_ sink: Value, _ flow: LuaFlow, _ host: WorkflowHost<LuaWorkflow>) {
        guard let target = sink["$sink"], let path = NodePath(target["node"]?.string ?? "") else {
            return
        }
        let before = host.rendering.value
        let outcome = try? flow.send(target["action"] ?? .null, to: path, in: host)
        if case .dropped? = outcome, before != host.rendering.value {
            contradiction("a dropped action changed the rendering")
        }
    }

    private static func sinks(in value: Value) -> [Value] {
        switch value {
        case .record(let record) where record["$sink"] != nil: [value]
        case .record(let record): record.values.flatMap(sinks)
        case .list(let list): list.flatMap(sinks)
        default: []
        }
    }
}
