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
