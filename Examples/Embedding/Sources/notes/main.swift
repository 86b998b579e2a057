import Foundation
import NotesCore

let environment = ProcessInfo.processInfo.environment
do {
    let tool = try NotesTool(
        flows: environment["NOTES_FLOWS"] ?? "Flows",
        store: environment["NOTES_STORE"] ?? "notes.sqlite")
    print(try await tool.run(Array(CommandLine.arguments.dropFirst())))
} catch {
    FileHandle.standardError.write(Data("error: \(NotesTool.message(of: error))\n".utf8))
    exit(1)
}
