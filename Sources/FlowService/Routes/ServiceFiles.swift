import CServicePage
import HTTPServing
import HTTPTypes
import HummingbirdCore
import InspectorServer
import NIOCore
import PlainValue

/// The files that the service gives to everybody: its description, a client, and the page that plays a session.
struct ServiceFiles: Sendable {
    private let own: [String: PageFile]
    private let page: PageFiles

    /// - Parameter flows: The names of the flows, which the description tells.
    init(flows: [String]) throws(InspectorFailure) {
        var own = Self.embedded()
        if let file = own["openapi.json"] {
            let list = Value.list(Value.List(flows.map { .string($0) })).json
            let names = String(list.dropFirst().dropLast())
            let text = String(buffer: file.bytes).split(separator: "\"FLOWS\"").joined(
                separator: names)
            own[file.name] = PageFile(name: file.name, bytes: ByteBuffer(string: text))
        }
        self.own = own
        page = try PageFiles(folder: nil)
    }

    private static func embedded() -> [String: PageFile] {
        var files: [String: PageFile] = [:]
        var index = 0
        while let file = service_page_file_at(index)?.pointee {
            let name = String(cString: file.name)
            let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
            files[name] = PageFile(name: name, bytes: ByteBuffer(bytes: bytes))
            index += 1
        }
        return files
    }

    /// The routes of the files.
    var routes: [Route] {
        [
            Route(.get, "/openapi.json", nil) { [self] call throws(Problem) in
                try response("openapi.json", to: call)
            },
            Route(.get, "/client.js", nil) { [self] call throws(Problem) in
                try response("client.js", to: call)
            },
            Self.folder("/fleet"),
            Route(.get, "/fleet/", nil) { [self] call throws(Problem) in
                try response("fleet.html", to: call)
            },
            Route(.get, "/fleet/{file}", nil) { [self] call throws(Problem) in
                try response(call.names[0], to: call)
            },
        ] + pages("/play", "play.html") + pages("/inspect", "index.html")
    }

    /// The routes of a page that shows one session.
    private func pages(_ path: String, _ page: String) -> [Route] {
        [
            Self.folder("\(path)/{session}"),
            Route(.get, "\(path)/{session}/", nil) { [self] call throws(Problem) in
                try response(page, to: call)
            },
            Route(.get, "\(path)/{session}/{file}", nil) { [self] call throws(Problem) in
                try response(call.names[1], to: call)
            },
        ]
    }

    /// The path of a page without its last slash: the files of the page stand beside it.
    private static func folder(_ template: String) -> Route {
        Route(.get, template, nil) { call in
            Response(status: .permanentRedirect, headers: [.location: "\(call.request.uri.path)/"])
        }
    }

    private func response(_ name: String, to call: Route.Call) throws(Problem) -> Response {
        let file = own[name] ?? page.file(named: name)
        guard let response = file?.response(to: call.request) else { throw .noRoute }
        return response
    }
}
