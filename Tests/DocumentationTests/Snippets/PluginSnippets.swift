import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
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

/// The code of the article on plugins, line for line.
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
}
