package import TestSupport
package import WorkflowKit
package import WorkflowLua

// Flows that many tests play.
extension FlowSource {
    /// Counts; emits its count, and fails in several ways.
    package static let counter = testFlow("counter")

    /// Three nested nodes count the output `tell` on its way up, to the `limit` of its action.
    package static let cascade = testFlow("tree")

    private static func testFlow(_ name: String) -> FlowSource {
        do {
            return .text(try testText(name), name: "\(name).lua")
        } catch {
            fatalError("\(error)")
        }
    }

    fileprivate static func testText(_ name: String) throws -> String {
        try Repository.text("Tests/TestFlows/Flows/\(name).lua")
    }
}

extension Folder {
    /// A folder with a flow whose action `spin` ends only when it is interrupted.
    package static func spinning() throws -> Folder {
        try Folder(["flow.lua": FlowSource.testText("spinning")])
    }
}

extension FlowError {
    /// The message, the notes and the help, without the place.
    package var said: String {
        ([message] + notes.map { "note: \($0)" } + (help.map { ["help: \($0)"] } ?? []))
            .joined(separator: "\n")
    }
}
