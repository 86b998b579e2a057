import FlowService
import PlainValue
import TestSupport
import Testing
import WorkflowKit

/// The code of the page of FlowService, line for line.
@Suite struct GuideSnippets {
    @Test func aProgramServesAFlow() async throws {
        let folder = try Folder()
        let file = Repository.example("counter")
        let store = folder.path("sessions.db")

        var flowOptions = FlowOptions()
        flowOptions.limits = .unhurried
        let serving = Task { [flowOptions] in
            var options = ServiceOptions(
                flows: [.init(file: file, options: flowOptions)], store: store)
            options.port = 0  // any that is free
            options.limits.rate = 100
            try await FlowService.run(options) { service in
                print(service.address, service.token ?? "")
            }
        }
        serving.cancel()
        try await serving.value
        #expect(try folder.names() == ["sessions.db"])
    }

    @Test func tokensSayWhoMayDoWhat() {
        let token = ServiceToken(for: "ada", scopes: [.read, .act], claims: ["team": "red"])
        print(token.text)  // for Ada, once
        print(token.line)  // for the file of tokens
        #expect(token.text.hasPrefix("wfs_"))
        #expect(token.line.hasPrefix("ada "))
    }
}
