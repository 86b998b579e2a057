import CPages
import HTTPServing
import HTTPTypes
import HummingbirdCore
import InspectorServer
import NIOCore
import PlainValue
import WorkflowLua

/// The public files of the service: its description, a client, and the pages.
struct ServiceFiles: Sendable {
    private let own: [String: PageFile]
    private let page: PageFiles

    /// - Parameter isOpen: True if no request needs a token.
    init(flows: [String], isOpen: Bool) throws(FlowError) {
        var own = PageFile.embedded(workflow_service_file_at)
        if let file = own["openapi.json"] {
            let list = Value.list(of: flows.map { .string($0) }).json
            let names = String(list.dropFirst().dropLast())
            var text = String(buffer: file.bytes).replacing("\"FLOWS\"", with: names)
            if isOpen { text = text.replacing(Self.security, with: "\"security\": []") }
            own[file.name] = PageFile(name: file.name, bytes: ByteBuffer(string: text))
        }
        self.own = own
        do throws(InspectorFailure) { page = try PageFiles(folder: nil) } catch {
            throw FlowError(.host, error.message, help: error.help)
        }
    }

    /// The part of the description about requests that need a token.
    private static let security = "\"security\": [\n  {\n   \"token\": []\n  }\n ]"

    var routes: [Route] {
        [
            file("/openapi.json", "openapi.json"), file("/client.js", "client.js"),
            Self.folder("/fleet"), file("/fleet/", "fleet.html"),
            Route(.get, "/fleet/{file}", nil) { [self] call throws(Problem) in
                try response(call.names[0], to: call)
            },
        ] + pages("/play", "play.html") + pages("/inspect", "index.html")
    }

    private func pages(_ path: String, _ page: String) -> [Route] {
        [
            Self.folder("\(path)/{session}"), file("\(path)/{session}/", page),
            Route(.get, "\(path)/{session}/{file}", nil) { [self] call throws(Problem) in
                try response(call.names[1], to: call)
            },
        ]
    }

    /// Redirects a page's path without the last slash, because the page's files are relative to it.
    private static func folder(_ template: String) -> Route {
        Route(.get, template, nil) { call in
            Response(status: .permanentRedirect, headers: [.location: "\(call.request.uri.path)/"])
        }
    }

    private func file(_ template: String, _ name: String) -> Route {
        Route(.get, template, nil) { [self] call throws(Problem) in try response(name, to: call) }
    }

    private func response(_ name: String, to call: Route.Call) throws(Problem) -> Response {
        let file = own[name] ?? page.file(named: name)
        guard let response = file?.response(to: call.request) else { throw .noRoute }
        return response
    }
}
