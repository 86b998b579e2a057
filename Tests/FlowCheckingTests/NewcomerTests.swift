import Foundation
import TestSupport
import Testing
import WorkflowPlugins

@testable import FlowChecking

/// Mistakes of people who write their first flows, and what a check says first of each.
/// They are in the file `NewcomerMistakes.txt`, each below a line `== name`. Its lines have the
/// parts in which its flow differs from the right one, the lines of a `test`, or those of another
/// file. `above` is a line before the flow, and `before` stands before its first line.
@Suite struct NewcomerTests {
    struct Mistake: CustomTestStringConvertible {
        let name: String
        private let parts: [String: String]

        var testDescription: String { name }
        var first: String { parts["first"] ?? "" }

        init(_ text: Substring) {
            var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            name = String(lines.removeFirst())
            parts = Dictionary(
                lines.map { line in
                    let end = line.firstRange(of: ": ") ?? line.endIndex..<line.endIndex
                    return (String(line[..<end.lowerBound]), String(line[end.upperBound...]))
                }
            ) { $0 + "\n" + $1 }
        }

        private var flow: String {
            """
            \(parts["above"].map { $0 + "\n" } ?? "")\(parts["before"].map { $0 + " " } ?? "")\
            local Flow = { name = "flow" }
            function Flow.state(props) return \(parts["state"] ?? "{ total = 0, items = {} }") end
            Flow.apply = {
            \(parts["apply"] ?? """
                add = function(state, action) \
                state.total = state.total + (action.amount or 1) end,
                """)
            }
            function Flow.render(state, context)
            \(parts["render"] ?? "return { total = state.total, add = context:sink(\"add\") }")
            end
            return Flow

            """
        }

        var files: [String: String] {
            var files = parts.filter { $0.key.hasSuffix(".lua") }.mapValues { $0 + "\n" }
            files["flow.lua"] = files["flow.lua"] ?? flow
            if let test = parts["test"] {
                files["flow_test.lua"] = """
                    local Flow = require "flow"
                    it("works", function()
                    local flow = workflow.test(Flow)
                    \(test)
                    end)

                    """
            }
            if flow.contains("\"item\"") {
                files["item.lua"] = """
                    local Item = { name = "item" }
                    function Item.render(state, context)
                        return { title = context.props.title, done = context.props.done or false }
                    end
                    return Item

                    """
            }
            return files
        }
    }

    private static let all: [Mistake] = {
        let text = try? Repository.text("Tests/FlowCheckingTests/NewcomerMistakes.txt")
        return text?.split(separator: "\n== ").dropFirst().map { Mistake($0) } ?? []
    }()

    @Test(arguments: all) func isFoundWithPlaceCauseAndNextStep(_ mistake: Mistake) throws {
        let problems = try Folder(mistake.files).problems()
        #expect(problems.first == mistake.first, "\(problems)")
    }

    @Test func thereAreMoreThanSixtyKinds() { #expect(Set(Self.all.map(\.name)).count > 60) }
}
