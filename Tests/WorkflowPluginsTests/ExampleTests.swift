import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowPlugins

@Suite struct ExampleTests {
    @Test func thePluginInCShouts() async throws {
        let registry = WorkerRegistry()
        try registry.load(try CLibrary.build("Examples/c-plugin/shout.c", as: "shout.so"))
        #expect(
            registry.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "shout.again { text: string, times: integer } -> string",
                "shout.once { text: string } -> string",
            ])
        let stage = Stage(WorkerSession(registry: registry))
        let once = try await stage.events("shout.once", ["text": "hello"])
        #expect(await once.first(2) == [.output("HELLO"), .finished])
        let again = try await stage.events("shout.again", ["text": "ho", "times": 3])
        #expect(await again.first(4) == [.output("HO"), .output("HO"), .output("HO"), .finished])
        let long = try await stage.events(
            "shout.once", ["text": .string(String(repeating: "a", count: 300))])
        #expect(
            await long.first(1) == [
                .failed(
                    WorkerError(
                        "too_long", "the text is too long to shout",
                        help: "take less than 200 bytes"))
            ])
    }

    @Test func thePluginOfAnotherPackageGreetsAndCounts() async throws {
        let registry = WorkerRegistry()
        try registry.load(try Repository.greeter())
        #expect(
            registry.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "greeter.count { to: integer, pause?: number } -> integer",
                "greeter.greet { name: string } -> string",
            ])
        let session = WorkerSession(registry: registry)
        let stage = Stage(session)
        let greet = try await stage.events("greeter.greet", ["name": "Ada"])
        #expect(await greet.first(2) == [.output("Hello, Ada!"), .finished])
        let count = try await stage.events("greeter.count", ["to": 1000, "pause": 0])
        #expect(await count.first(1001) == (1...1000).map { .output(.int($0)) } + [.finished])
        let none = try await stage.events("greeter.count", ["to": 0])
        #expect(
            await none.first(1) == [
                .failed(
                    WorkerError("nothing_to_count", "cannot count to 0", help: "take 1 or more"))
            ])
        let endless = try await stage.events("greeter.count", ["to": 2, "pause": 1_000_000])
        await stage.shutDown()
        #expect(await session.end(within: .unreached) == [])
        #expect(await endless.first(1) == [])
    }
}
