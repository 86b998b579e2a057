import Foundation
import Testing

@testable import NotesCore

@Suite struct NotesTests {
    private let flow = #filePath.replacingSuffix(
        "Tests/NotesTests/NotesTests.swift", with: "Flows/notes.lua")

    @Test func commandsOfTheUsersFlowRun() async throws {
        let tool = try await NotesTool(flow: flow)
        #expect(await tool.commands == ["add", "done", "list"])
        #expect(await tool.screen == "no notes")
        #expect(await tool.run("add buy milk") == "1. buy milk (2 words)")
        #expect(await tool.run("add read") == "1. buy milk (2 words)\n2. read (1 words)")
        #expect(await tool.run("done 1") == "1. read (1 words)")
    }

    @Test func notesAreImportedByAWorkerOnAnActorOfItsOwn() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID()).txt")
        try "buy milk\nread\n".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let tool = try await NotesTool(flow: flow)
        #expect(
            await tool.run("import \(file.path)") == "1. buy milk (2 words)\n2. read (1 words)")
        #expect(await tool.run("import /nowhere") == "error: /nowhere: the file cannot be read")
    }

    @Test func aCommandThatFailsChangesNothing() async throws {
        let tool = try await NotesTool(flow: flow)
        #expect(await tool.run("add") == "error: add needs a text, such as: add buy milk")
        #expect(
            await tool.run("dance")
                == "error: notes has no action 'dance'; its actions are add, done, list")
        #expect(await tool.run("list") == "no notes")
    }
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String, with other: String) -> String {
        String(dropLast(suffix.count)) + other
    }
}
