import HTTPServing
import LibC
import Logging
import LuaVM
import PlainValue
import Synchronization
import Terminal
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua
import WorkflowStore

@testable import FlowService
@testable import workflow_serve

struct CodeCheckTests {
    @Test func whatBecomesOfSessionsIsSaidBeforeAndTheStoreStaysAsItIs() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .migrate)
        let before = try await deployment.store.summary(of: "a")
        func findings(_ policy: CodePolicy = .migrate) async throws -> [String] {
            let check = try await CodeCheck(
                deployment.flows, code: ["counter": policy],
                store: deployment.folder.path("sessions.db"))
            var findings: [String] = []
            try await check.run { findings.append("\($0.session.id) \($0.fit.text)") }
            return findings
        }
        #expect(try await findings() == ["a same"])
        try deployment.write(Deployment.counter(comment: "another"))
        #expect(try await findings() == ["a same"])
        try deployment.write(Deployment.counter(by: "state.count"))
        #expect(try await findings() == ["a the snapshot does not fit the flow"])
        #expect(try await findings(.pinned) == ["a same"])
        #expect(try await findings(.replay) == ["a 2: add"])
        try deployment.write(Deployment.counter(by: "state.count", version: 2))
        #expect(try await findings() == ["a 2: add"])
        #expect(try await deployment.store.summary(of: "a") == before)
    }

    @Test func theNewestSessionsOfOneFlowAreCheckedIfNoMoreAreAskedFor() async throws {
        let deployment = try Deployment()
        let sessions = try deployment.start(.migrate)
        for n in 0..<5 {
            try await sessions.pool.create("s\(n)", try #require(sessions.flows["counter"]).opening)
        }
        await sessions.close()
        let path = deployment.folder.path("sessions.db")
        var ids: [String] = []
        try await CodeCheck(deployment.flows, only: "counter", store: path).run(sample: 2) {
            ids.append($0.session.id)
        }
        #expect(ids == ["s4", "s3"])
        let error = await #expect(throws: FlowError.self) {
            try await CodeCheck(deployment.flows, only: "clock", store: path)
        }
        #expect(error?.message == "there is no flow 'clock' among the files")
        let missing = await #expect(throws: FlowError.self) {
            try await CodeCheck(deployment.flows, store: deployment.folder.path("none.db"))
        }
        #expect(missing?.code == .file)
    }

    @Test func aDifferenceIsPrintedWithItsStepItsInputAndItsPlaces() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .migrate)
        try deployment.write(Deployment.counter(by: "state.count", version: 2))
        #expect(
            try await deployment.printed(asJSON: false) == """
                a (counter), step 2, after add
                  ~ count     4                                   was 2
                ✗ 1 session: 0 as before, 1 different, 0 refused

                """)
        #expect(
            try await deployment.printed(asJSON: true) == """
                {"after":"add","flow":"counter","id":"a","rendering":{"now":{"count":4},\
                "recorded":{"count":2}},"step":2,"type":"difference"}
                {"different":1,"keep_files":0,"refused":0,"same":0,"sessions":1,"type":"check","unknown":0}

                """)
        try deployment.write(Deployment.counter(by: "state.count"))
        #expect(
            try await deployment.printed(asJSON: false) == """
                a (counter), refused: the snapshot does not fit the flow; \
                counter.lua has changed since it was made
                ✗ 1 session: 0 as before, 0 different, 1 refused

                """)
    }

    @Test func aSessionThatKeepsItsFilesUnderReplayIsListedAndIsNotAnError() async throws {
        let deployment = try Deployment()
        try await deployment.play(["add", "add"], .replay)
        let code = ["counter": CodePolicy.replay]
        try deployment.write(Deployment.counter(by: "state.count", version: 2))
        #expect(
            try await deployment.printed(asJSON: false, code: code) == """
                a (counter), keeps its files: step 2, after add
                  ~ count     4                                   was 2
                ✓ 1 session: 0 as before, 0 different, 0 refused, 1 with its own files

                """)
        try deployment.write("return { render = function() return missing.field end }")
        #expect(
            try await deployment.printed(asJSON: true, code: code).contains(
                #""id":"a","keeps_files":true,"type":"refused""#))
    }
}

extension SessionFit {
    fileprivate var text: String {
        switch self {
        case .same: "same"
        case .unknown: "unknown"
        case .refused(let error): error.message
        case .differs(let found):
            "\(found.first?.step ?? -1): \(found.first?.input?.title ?? "the beginning")"
        }
    }
}

extension Deployment {
    fileprivate func printed(
        asJSON isJSON: Bool, code: [String: CodePolicy] = [:]
    ) async throws -> String {
        let path = folder.path("printed.txt")
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        var printer = CodeCheckPrinter(
            output: OutputStyle(stream: OutputStream(file: file), choice: .never), isJSON: isJSON)
        try await CodeCheck(flows, code: code, store: folder.path("sessions.db"))
            .run { printer.print($0) }
        printer.printEnd()
        return try folder.text(of: "printed.txt")
    }
}
