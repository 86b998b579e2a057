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

        var options = FlowOptions()
        options.limits = .unhurried
        let serving = Task { [options] in
            var settings = ServiceSettings(
                flows: [.init(file: file, options: options)], store: store)
            settings.port = 0  // any that is free
            settings.limits.rate = 100
            try await FlowService.run(settings) { service in
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
