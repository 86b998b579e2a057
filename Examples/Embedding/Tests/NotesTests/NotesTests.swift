import Foundation
import NotesCore
import Testing

@Suite struct NotesTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.copyItem(
            atPath: String(#filePath.dropLast("Tests/NotesTests/NotesTests.swift".count)) + "Flows",
            toPath: folder.path + "/Flows")
    }

    private func run(_ line: String, day: Int = 20_000) async -> String {
        do {
            let tool = try NotesTool(
                flows: folder.path + "/Flows", store: folder.path + "/notes.sqlite",
                folder: folder.path, now: { day * 86_400_000 })
            return try await tool.run(line.split(separator: " ").map(String.init))
        } catch {
            return "error: \(NotesTool.message(of: error))"
        }
    }

    @Test func habitsAreCountedOnceADay() async {
        #expect(await run("habits mark run") == "run: 1 days")
        #expect(await run("habits mark run") == "run: 1 days")
        #expect(await run("habits mark run", day: 20_001) == "run: 2 days")
    }

    @Test func aCommandThatFailsChangesNothing() async {
        #expect(
            await run("notes add") == "error: add needs a text, such as: notes notes add buy milk")
        #expect(
            await run("notes done 1")
                == "error: notes has no command 'done'; its commands are add, import, redo, undo")
        #expect(await run("notes") == "no notes")
        #expect(await run("") == "habits: 0 steps\nnotes: 0 steps")
    }

    @Test func stepsAreUndoneAndDoneAgainInLaterProcesses() async {
        #expect(await run("notes undo") == "error: there is nothing to undo: this is the beginning")
        for n in 1...10 { _ = await run("notes add \(n)") }
        for n in (0...9).reversed() {
            let lines = await run("notes undo").split(separator: "\n")
            #expect(lines.count == max(n, 1))
        }
        #expect(await run("notes") == "no notes")
        #expect(await run("notes redo") == "1. 1 (1 words)")
        #expect(await run("notes add x") == "1. 1 (1 words)\n2. x (1 words)")
        #expect(
            await run("notes redo") == "error: there is nothing to redo: this is the last step")
    }

    @Test func notesOutliveAChangeOfTheirFlow() async throws {
        _ = await run("notes add milk")
        let path = folder.path + "/Flows/notes.lua"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "%d words", with: "words: %d").write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(await run("notes") == "1. milk (words: 1)")
        #expect(await run("notes add tea") == "1. milk (words: 1)\n2. tea (words: 1)")
    }

    @Test func aFlowThatIsNotThereOrIsWrongIsNamed() async throws {
        #expect(await run("dreams") == "error: there is no flow 'dreams' in \(folder.path)/Flows")
        try "return 1".write(
            toFile: folder.path + "/Flows/dreams.lua", atomically: true, encoding: .utf8)
        #expect(
            await run("dreams")
                == "error: a flow returns a table with a render function, not an integer")
    }
}
