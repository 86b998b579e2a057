import Foundation
import TestSupport
import Testing

@testable import Terminal

@Suite struct LineHistoryTests {
    @Test(arguments: [
        (["add{", "  text = \"a  b\",", "}"], ["add{ text = \"a  b\", }"]), (["= 1"], ["= 1"]),
        // What follows would be a comment.
        (["= 1 + -- one", "2"], ["= 1 + -- one", "2"]),
        (["= [[a", "b]]"], ["= [[a", "b]]"]),
    ])
    func entryIsOneLineWhereThatIsTheSame(_ entry: [String], _ lines: [String]) {
        #expect(LineHistory.lines(of: entry) == lines)
    }

    @Test func linesAreKeptForTheirOwnerOnly() throws {
        let scene = try Folder()
        let folder = scene.path + "/state/workflow-run"
        let history = LineHistory(folder: folder)
        #expect(history.lines.isEmpty)
        #expect(history.add("one"))
        #expect(!history.add("one"))
        #expect(!history.add("  "))
        #expect(history.add("日本"))
        #expect(LineHistory(folder: folder).lines == ["one", "日本"])
        #expect(!LineHistory(folder: folder).add("日本"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/history")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let above = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(above[.posixPermissions] as? Int == 0o700)
    }

    @Test func oldLinesAreForgotten() throws {
        let lines = (1...2 * LineHistory.most + 1).map { "line \($0)\n" }.joined()
        let scene = try Folder(["history": lines])
        let history = LineHistory(folder: scene.path)
        #expect(history.lines.count == LineHistory.most)
        #expect(history.lines.last == "line \(2 * LineHistory.most + 1)")
        let kept = try scene.text(of: "history").split(separator: "\n")
        #expect(kept.count == LineHistory.most)
        #expect(kept.first == "line \(LineHistory.most + 2)")
    }

    @Test func missingFolderBothersNobody() {
        let history = LineHistory(folder: nil)
        #expect(history.lines.isEmpty)
        #expect(history.add("one"))
        #expect(LineHistory(folder: "/proc/nothing").add("one"))
    }
}
