import ClockPlugin
import FilePlugin
import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

struct Greet: PluginWorker {
    static let name = "greeter.greet"
    static let summary = "Greets somebody."

    struct Input: Codable, Sendable { var name: String }

    func run(_ input: Input, context: WorkerContext) async throws -> String {
        "Hello, \(input.name)!"
    }
}

struct LineCount: PluginWorker {
    static let name = "lines.count"
    static let summary = "Counts the lines of a text file."
    static let needs: [WorkerNeed] = ["file.read={path}"]

    struct Input: Codable, Sendable { var path: String }

    func run(_ input: Input, context: WorkerContext) async throws -> Int {
        // The path without links, which is the one that was granted.
        let path = try context.require(.fileRead(input.path))
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw WorkerError("unreadable", "\(input.path) cannot be read")
        }
        return text.split(separator: "\n").count
    }
}

struct Lines: StreamingPluginWorker {
    static let name = "lines.read"
    static let summary = "Gives the lines of a text, one after the other."

    struct Input: Codable, Sendable { var text: String }

    func run(_ input: Input, context: WorkerContext) -> AsyncStream<String> {
        AsyncStream { lines in
            for line in input.text.split(separator: "\n") { lines.yield(String(line)) }
            lines.finish()
        }
    }
}

/// A native workflow that runs the worker of a plugin.
struct Reminder: Workflow {
    var workers: WorkerSession

    func makeInitialState() -> String { "waiting" }

    func render(state: String, context: RenderContext<Reminder>) -> String {
        guard state == "waiting" else { return state }
        do {
            let timer = try workers.declare("clock.after", input: ["seconds": 60])
            context.awaitResult(for: timer) { _, state in
                state = "due"
                return nil
            }
        } catch {
            context.fail(error)
        }
        return state
    }
}

/// The code of the pages and of the article on plugins, line for line.
@Suite struct PluginSnippets {
    @Test func workersAreTestedByThemselves() async throws {
        let stage = try CommandFolder()
        try stage.write("Roses are red,\nviolets are blue.\n", to: "poem.txt")
        let folder = stage.folder.path
        let context = WorkerContext(grants: Grants([Grant("file.read", folder)], folder: folder))
        let count = try await LineCount().run(.init(path: "poem.txt"), context: context)
        #expect(count == 2)
        await #expect(throws: WorkerError.self) {
            try await LineCount().run(.init(path: "/etc/passwd"), context: context)
        }
    }

    @Test func flowsRunThePluginsOfAProgram() async throws {
        let greeting = Repository.root + "Examples/GreeterPlugin/greeting.lua"
        var options = FlowOptions(props: ["name": "Ada"])
        options.plugins = try WorkerRegistry([
            Plugin("greeter", version: "1.0.0", workers: [Greet()])
        ])
        let session = try await FlowSession.open(.file(greeting), options: options)
        let outputs = await session.outputs
        // It may have come before.
        let output =
            if let first = await session.takeOutputs().first { first } else {
                await outputs.first { _ in true }
            }
        #expect(output == ["text": "Hello, Ada!"])
        await session.close()
    }

    @Test func aRegistryHasTheWorkers() throws {
        let folder = Repository.path("Tests/DocumentationTests")
        let registry = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
        for library in PluginSearch.libraries(in: folder) { try registry.load(library) }
        for worker in registry.workers { print(worker.name, worker.summary) }

        do {
            _ = try registry.worker(named: "clock.aftr")
        } catch {
            print(error.message)  // there is no worker 'clock.aftr'. Did you mean 'clock.after'?
        }
        let error = #expect(throws: WorkerError.self) { try registry.worker(named: "clock.aftr") }
        #expect(
            error?.message == "there is no worker 'clock.aftr'. Did you mean 'clock.after'?")
        #expect(registry.plugins.map(\.plugin.name) == ["clock", "file"])
    }

    @Test func accessesAreGrantedAndAudited() throws {
        let registry = try WorkerRegistry([FilePlugin.plugin])
        let workers = WorkerSession(
            registry: registry, grants: Grants([Grant("file.read", "notes")], folder: "/srv"),
            onAccess: { access in
                print(access.isGranted ? "granted" : "refused", access.worker, access.access)
            })
        do {
            _ = try workers.declare("file.read", input: ["path": "/etc/passwd"])
        } catch {
            print(error.code, error.message)
        }
        let error = #expect(throws: WorkerError.self) {
            try workers.declare("file.read", input: ["path": "/etc/passwd"])
        }
        #expect(error?.code == "not_granted")
        _ = try workers.declare("file.read", input: ["path": "notes/today.txt"])
    }

    @Test func aNativeWorkflowRunsAWorker() throws {
        let registry = try WorkerRegistry([ClockPlugin.plugin])
        let workers = WorkerSession(registry: registry)
        let host = WorkflowHost(workflow: Reminder(workers: workers))
        print(host.rendering)  // waiting
        #expect(host.rendering == "waiting")
        #expect(host.describeTree().children.count == 1)
    }

    @Test func outputsOfAStreamAreCollected() async throws {
        let worker = WorkerDefinition(Lines())
        let found = Collected()
        let outputs = WorkerEmitter<Value> { value in await found.add(value) }
        try await worker.run(
            ["text": "roses\nviolets"], context: WorkerContext(), outputs: outputs)
        #expect(await found.values == ["roses", "violets"])
    }

    private actor Collected {
        var values: [Value] = []
        func add(_ value: Value) { values.append(value) }
    }
}
