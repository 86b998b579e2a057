@testable import FlowProtocol
import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
@testable import WorkflowKit
@testable import WorkflowLua

/// The article on the JSON protocol lists exactly what the code reads and writes.
@Suite struct ProtocolTests {
    private static let catalogue = "Sources/Flow/FlowProtocol/Documentation.docc/"

    private let page: Page
    private let schemaText: Value
    private var schema: JSONSchema { JSONSchema(schemaText) }

    init() throws {
        page = try Page(Self.catalogue + "JSONProtocol.md")
        schemaText = try Value(json: Repository.text(Self.catalogue + "protocol.schema.json"))
    }

    /// The cells of the rows of the table below a heading; the first if there are more.
    private func rows(below heading: String, headed first: String) -> [[String]] {
        page.lines.drop { $0 != heading }.drop { !$0.hasPrefix("| \(first) |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
            .map { row in
                row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }

    private func names(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]*)`/).map { String($0.1) }
    }

    // MARK: Events

    private static let error = FlowError.Location(file: "a.lua", line: 1)

    /// An event of each type with all its possible fields.
    private static let samples: [FlowEvent.Kind] = {
        var failure = FlowError(.lua, "no", help: "do")
        failure.location = error
        failure.phase = .render
        failure.node = "a"
        failure.frames = [.init(location: error, function: "f")]
        failure.locals = [.init(name: "x", value: "1")]
        failure.notes = ["note"]
        let header = FlowHeader(
            flow: "a", session: "s", file: "a.lua", hash: "0", seed: 0, props: [:], plugins: [],
            snapshot: [:], step: 1)
        let worker = (name: "clock.after", key: "k", node: "a" as NodePath)
        return [
            .ready(header), .rendering(1, actions: [], pass: 1),
            .action("go", node: "a", source: "client"), .output(1),
            .worker(.output(1), worker: worker.name, key: worker.key, node: worker.node),
            .worker(
                .failed(WorkerError("no", "no")), worker: worker.name, key: worker.key,
                node: worker.node),
            .refused(
                WorkerRefusal(worker: "a.b", input: [:], error: WorkerError("not_granted", "no"))),
            .props([:]), .moved(step: 0, of: 1, snapshot: [:]),
            .reloaded(hash: "0", snapshot: [:]), .snapshot([:]),
            .dropped(node: "a", action: "go", reason: "no_such_node"),
            .log(level: .info, message: "hello", location: error), .error(failure),
            .reply(id: 1, value: 1), .reply(id: 1, error: failure), .values(id: 1, [1, 2]),
            .done(reason: "eof", exit: 0),
            .news(
                [
                    "step": 1, "of": 1, "past": false, "working": false, "flow": "a", "hash": "0",
                    "from": 1, "entries": [], "cut": 0, "changed": [], "outputs": [], "workers": [],
                    "errors": [], "logs": [], "dropped": [:],
                ]),
        ]
    }()

    /// The number of kinds of event. A new one compiles only once counted, with a sample above.
    private static func number(_ kind: FlowEvent.Kind) -> Int {
        switch kind {
        case .ready: 0
        case .rendering: 1
        case .action: 2
        case .output: 3
        case .worker: 4
        case .props: 5
        case .moved: 6
        case .reloaded: 7
        case .snapshot: 8
        case .dropped: 9
        case .log: 10
        case .error: 11
        case .reply: 12
        case .done: 13
        case .news: 14
        case .refused: 15
        case .values: 16
        }
    }

    @Test func eventsHaveTheFieldsOfTheTable() {
        #expect(Set(Self.samples.map(Self.number)) == Set(0...16))
        var fields: [String: Set<String>] = [:]
        for kind in Self.samples {
            let event = FlowEvent(sequence: 2, milliseconds: 0, cause: 1, kind: kind)
            let all = Set((event.record.record ?? [:]).keys)
            let common: Set = ["v", "seq", "at", "type", "cause"]
            #expect(all.isSuperset(of: common))
            let type = event.record["type"]?.string ?? ""
            fields[type, default: []].formUnion(all.subtracting(common))
        }
        let table = rows(below: "## Events", headed: "type")
        #expect(Set(table.flatMap { names($0[0]) }) == Set(fields.keys))
        for row in table {
            let type = names(row[0]).first ?? ""
            #expect(Set(names(row[1])) == fields[type], "\(type)")
        }
    }

    @Test func fieldsOfErrorsAreThoseOfTheTable() {
        let fields = rows(below: "## Errors", headed: "field").flatMap { names($0[0]) }
        for case .error(let error) in Self.samples {
            #expect(Set(fields) == Set(error.record.keys))
        }
    }

    @Test func codesOfErrorsAreThoseOfTheTable() throws {
        let source = try Repository.text("Sources/Flow/WorkflowLua/Errors/FlowError.swift")
        let codes = source.components(separatedBy: "/// A line of a flow's source.")[0]
            .matches(of: /\n        case (\w+)(?: = "(\w+)")?\n/)
            .map { String($0.2 ?? $0.1) }
        #expect(codes.count > 20)
        #expect(rows(below: "## Errors", headed: "code").flatMap { names($0[0]) } == codes)
        for code in codes { #expect(FlowError.Code(rawValue: code) != nil) }
    }

    // MARK: Requests

    private var requestsOfSome: [String] {
        rows(below: "## Requests", headed: "request of some").flatMap { names($0[0]) }
            .filter { $0.hasPrefix("{\"do\"") }
    }

    @Test func requestsOfTheTableAreServed() async throws {
        let requests = rows(below: "## Requests", headed: "request").flatMap { names($0[0]) }
        let stage = try CommandFolder()
        try stage.write(
            (requests.dropLast() + [#"{"id":0}"#] + requests.suffix(1))
                .joined(separator: "\n"), to: "requests")
        let (lines, status) = try await stage.run(
            Command(text: "workflow-run Examples/counter/counter.lua --json < requests"))
        #expect(status == 0)
        let events = try lines.map { try Value(json: $0) }
        let replies = events.filter { $0["type"] == "reply" }
        #expect(replies.count == requests.count + 1)
        for reply in replies where reply["id"] != 0 {
            #expect(reply["ok"] == true, "\(reply.json)")
        }
        let verbs = Set(
            try (requests + requestsOfSome).compactMap { try Value(json: $0)["do"]?.string })
        let list = verbs.sorted().joined(separator: ", ")
        #expect(
            replies.first { $0["id"] == 0 }?["error"]?["help"]?.string
                == "\"do\" is one of \(list)")
    }

    // MARK: The schema

    private func expect(_ lines: [String], fit name: String) throws {
        for line in lines {
            let problems = schema.problems(of: try Value(json: line), as: name)
            #expect(problems.isEmpty, "\(line)\n\(problems.joined(separator: "\n"))")
        }
    }

    @Test func requestsOfTheTableFitTheSchema() throws {
        let requests =
            rows(below: "## Requests", headed: "request").flatMap { names($0[0]) } + requestsOfSome
        try expect(requests, fit: "request")
        let verbs = Set(try requests.compactMap { try Value(json: $0)["do"]?.string })
        let known = (schemaText["$defs"]?["request"]?["oneOf"]?.list ?? [])
            .compactMap { $0["properties"]?["do"]?["const"]?.string }
        #expect(Set(known) == verbs)
    }

    @Test func eventsOfAllTypesFitTheSchema() throws {
        var events = Self.samples.map {
            FlowEvent(sequence: 2, milliseconds: 0, cause: 1, kind: $0).record
        }
        let client = ProtocolClient()
        client.patches.setOn(true)
        for rendering in [["a": 1], ["b": 1]] as [Value] {
            let kind = FlowEvent.Kind.rendering(rendering, actions: [], pass: 1)
            events.append(
                try #require(
                    client.record(
                        of: FlowEvent(sequence: 2, milliseconds: 0, cause: 1, kind: kind))))
        }
        #expect(events.last?["patch"] != nil)
        try expect(events.map(\.json), fit: "event")
        // The schema has exactly the existing fields.
        let common = Set((schemaText["$defs"]?["event"]?["properties"]?.record ?? [:]).keys)
        let types = schemaText["$defs"]?["event"]?["oneOf"]?.list ?? []
        for type in types {
            let fields = Set((type["properties"]?.record ?? [:]).keys)
            let name = type["properties"]?["type"]?["const"]?.string ?? ""
            let seen = events.filter { $0["type"]?.string == name }.flatMap {
                ($0.record ?? [:]).keys
            }
            // Only clients at a socket get an excerpt; see the page.
            #expect(
                fields == Set(seen).subtracting(common).union(name == "error" ? ["excerpt"] : []))
        }
        #expect(types.count == 16)
    }

    @Test func whatDoesNotFitTheSchemaIsFound() throws {
        let wrong = [
            #"{"do":"fly"}"#, #"{"id":1}"#, #"{"do":"goto"}"#, #"{"do":"goto","step":-1}"#,
            #"{"do":"send","sink":{"node":"a"}}"#, #"{"do":"eval","expression":1}"#, "1",
        ]
        for line in wrong {
            #expect(!schema.problems(of: try Value(json: line), as: "request").isEmpty, "\(line)")
        }
        let event =
            #"{"v":1,"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"moved","step":1,"of":2}"#
        try expect([event], fit: "event")
        for (part, other) in [
            ("\"v\":1", "\"v\":2"), ("01-01T", "01-01 "), ("moved", "flown"), (":2}", ":-2}"),
        ] {
            let line = event.replacing(part, with: other)
            #expect(!schema.problems(of: try Value(json: line), as: "event").isEmpty, "\(line)")
        }
    }

    static let requestFiles = (try? Repository.files(below: "Examples", endings: [".in"])) ?? []

    @Test(arguments: requestFiles.filter { !$0.hasPrefix("Examples/notes/") })
    func sessionsOfTheExamplesFitTheSchema(_ file: String) async throws {
        try expect(Repository.text(file).split(separator: "\n").map(String.init), fit: "request")
        let flow = file.replacing(".in", with: ".lua")
        let (lines, _) = try await CommandFolder().run(
            Command(text: "workflow-run \(flow) --json --record log < \(file); cat log"))
        #expect(lines.count > 8)
        try expect(lines, fit: "event")
    }
}
