import FlowOrigins
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

/// The code of the page of FlowOrigins, line for line.
@Suite struct GuideSnippets {
    @Test func theOriginOfAValueIsFound() async throws {
        let session = try await FlowSession.open(.file(Repository.example("todo")))
        try await session.send(["type": "add", "text": "milk"])
        try await session.send(["type": "toggle", "id": 1])

        let path = try ValuePath(parsing: "rows[1].done")
        let origin = try await session.origin(of: path)
        print(origin.path, origin.value ?? .null, "since step", origin.since)
        for finding in origin.findings {
            let place = finding.location.map { "\($0.file):\($0.line)" } ?? ""
            print(finding.kind, finding.subject, place, finding.detail)
        }
        #expect(origin.since == 2)
        #expect(origin.value == true)
        #expect(
            origin.findings.map(\.kind)
                == [.rendered, .cause, .cause, .write, .call, .sender])
    }

    @Test func theOriginOfAStateIsFollowedFurther() async throws {
        let session = try await FlowSession.open(.file(Repository.example("todo")))
        try await session.send(["type": "add", "text": "milk"])

        let text = try ValuePath(parsing: "items[1].text")
        let origin = try await session.origin(of: .state(text, of: nil), through: 3)
        for finding in origin.findings where finding.kind == .read { print(finding.subject) }
        #expect(origin.value == "milk")

        let render = try await session.origin(ofNode: "todo/item:1")
        print(render.path, "was rendered at step", render.since)
        #expect(render.since == 1)
    }
}
