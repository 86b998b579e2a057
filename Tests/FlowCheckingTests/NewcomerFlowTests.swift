import TestSupport
import Testing
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowCommand

/// Flows as people write them who are new here, and who make no mistake.
@Suite struct NewcomerFlowTests {
    private static let folder = Repository.path("Tests/FlowCheckingTests/NewcomerFlows")

    @Test func aRightFlowHasNoProblems() throws {
        var check = try Check(
            [Self.folder], registry: try WorkerRegistry(StandardPlugins.compiledIn))
        #expect(check.fileCount > 20)
        #expect(check.run().map(\.text) == [])
    }

    @Test func itsTypesAreThoseOfTheLanguageServer() throws {
        let registry = try WorkerRegistry(StandardPlugins.compiledIn)
        for flow in try FlowFiles.find(at: [Self.folder]) {
            let types = try FlowTypesWriter(flow.path, registry: registry)
            #expect(AnnotationGrammar(types.text).faults == [], "\(flow.path)")
        }
    }
}
