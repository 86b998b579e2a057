import Dispatch
import FlowProtocol
import LuaVM
import PlainValue
import Synchronization
import Workflow
import WorkflowKit
import WorkflowLua

/// A recording from any text: it is refused with a place, or played, kept and read again.
enum RecordingTarget: FuzzTarget {
    static var seeds: [[UInt8]] {
        let first = recorded(from: nil)
        return [first.text, recorded(from: first.snapshot).text].map { Array($0.utf8) }
    }

    static let steps = recorded(from: nil).text

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let recording: FlowRecording
        do throws(FlowError) {
            recording = try FlowRecording(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            guard error.location != nil else { contradiction("no place: \(error)") }
            return
        }
        waiting {
            do throws(FlowError) {
                let session = try await recording.makeSession(of: .fuzzed, options: .fuzzing)
                _ = try await recording.replay(in: session)
                guard let snapshot = try? await session.snapshot(),
                    (try? FlowSnapshot(json: snapshot.json.utf8)) != nil
                else { contradiction("a snapshot that is not read again") }
                await session.close()
            } catch {
                _ = error.description
            }
        }
    }

    /// The recording of a session with all kinds of inputs, and its last snapshot.
    private static func recorded(
        from snapshot: FlowSnapshot?
    ) -> (text: String, snapshot: FlowSnapshot?) {
        waiting {
            let lines = Mutex("")
            let session = FlowSession(options: .fuzzing) { event in
                lines.withLock { $0 += event.record.json + "\n" }
            }
            try? await session.start(.fuzzed, restoring: snapshot)
            let worker = WorkerNews(
                node: "flow", worker: "clock.every", key: "", event: .output(["tick": 1]))
            for kind: FlowInput.Kind in [
                .action(["type": "add", "by": 2], node: "flow"), .action("tell", node: "flow"),
                .action("spoil", node: "flow"), .worker(worker), .props(["title": "new"]),
            ] { try? await session.play(FlowInput(kind, milliseconds: 1_600_000_000_000)) }
            try? await session.undo()
            try? await session.go(to: 0)
            try? await session.reload(.keepingState)
            try? await session.go(to: 2)
            let last = try? await session.snapshot()
            let text = lines.withLock { $0 }
            await session.close()
            return (text, last)
        }
    }
}

/// Lines as requests to a session: each is answered, and the session goes on.
enum ProtocolTarget: FuzzTarget {
    static let seeds = [
        #"{"id":1,"do":"value","step":1,"from":0,"limit":5,"depth":2,"path":"list[1]"}"#,
        #"{"id":2,"do":"diff","from":0,"to":1,"limit":5}"#,
        #"{"id":3,"do":"inputs","from":1,"limit":5,"most":5,"match":"add"}"#,
        #"{"id":4,"do":"overview","buckets":5,"from":1,"to":2}"#,
        #"{"id":4,"do":"messages","from":1,"limit":2}"#,
        #"{"id":4,"do":"states","by":"state.n","from":0,"most":2}"#,
        #"{"id":4,"do":"tree","match":"flow","step":1,"limit":2}"#,
        #"{"id":5,"do":"find","expression":"state.n > 1","from":0,"most":5}"#,
        #"{"id":6,"do":"journal","from":0,"to":1}"#,
        #"{"id":7,"do":"send","at":"add","step":2,"with":{"by":2}}"#,
        #"{"id":8,"do":"goto","step":1}"# + "\n" + #"{"id":9,"do":"branch"}"#,
        #"{"id":10,"do":"why","path":"n","step":1}"#,
        #"{"id":11,"do":"log","points":[{"at":"flow.lua:3: {state}"}],"first":0,"last":2}"#,
        #"{"id":12,"do":"timeline","changes":true}"# + "\n" + #"{"id":13,"do":"snapshot"}"#,
        #"{"id":14,"do":"narrow","to":["view"]}"# + "\n"
            + #"{"id":15,"do":"value","path":"[\"[secret 1]\"]"}"#,
        #"{"id":16,"do":"worker","node":"flow","worker":"clock.every","output":{"tick":1}}"#,
        #"{"id":17,"do":"eval","expression":"n","where":{"n":1}}"#,
    ].map { Array($0.utf8) }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(20)
        waiting { await serve(lines.map(String.init)) }
    }

    private static func serve(_ lines: [String]) async {
        var options = FlowOptions.fuzzing
        options.secrets = ["title"]
        options.props = ["title": "hidden"]
        guard let session = try? await FlowSession.open(.fuzzed, options: options) else {
            contradiction("no session")
        }
        for _ in 0..<2 { try? await session.send("add") }
        let client = ProtocolClient()
        let answers = Mutex(0)
        for line in lines {
            if await session.serve(line, of: client, answer: { _ in answers.withLock { $0 += 1 } })
            {
                break
            }
        }
        let before = answers.withLock { $0 }
        _ = await session.serve(#"{"id":0,"do":"patches"}"#, of: client) { _ in
            answers.withLock { $0 += 1 }
        }
        guard answers.withLock({ $0 }) > before else { contradiction("no answer any more") }
        await session.close()
    }
}

/// Waits on this thread, which is not of the pool, for what is done on others.
private func waiting<Result: Sendable>(for body: @escaping @Sendable () async -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let end = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        result.withLock { $0 = value }
        end.signal()
    }
    end.wait()
    guard let value = result.withLock({ $0 }) else { contradiction("no result") }
    return value
}

extension FlowOptions {
    static var fuzzing: FlowOptions {
        FlowOptions(limits: .fuzzing, runsWorkers: false, now: { 1_600_000_000_000 })
    }
}

extension FlowSource {
    /// Counts, declares a worker, fails and has outputs.
    static let fuzzed = FlowSource.text(
        """
        local Flow = { name = "flow", version = 2, state = { n = 0 } }
        Flow.migrate = function(state, version) return state end
        Flow.apply = {
            add = function(state, action) state.n = state.n + (tonumber(action.by) or 1) end,
            tell = function(state) return { n = state.n } end,
            tick = function(state) state.n = state.n + 1 end,
            spoil = function(state) error("no luck") end,
        }
        function Flow.render(state, context)
            context:run("clock.every", { seconds = 3600 }, { on_output = "tick" })
            return {
                n = state.n, title = context.props.title, list = { 1, 2 },
                add = context:sink("add"),
            }
        end
        return Flow
        """, name: "flow.lua")
}
