import Foundation
import PlainValue
import RawHTTP
import Testing
import TestSupport

struct ProgramTests {
    private static let todo = "Examples/todo/todo.lua"

    @Test func aRunIsLookedAtAndPlayedAndGoesOnAfterItsInputUntilCtrlC() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect", "--quiet"])
        let client = try await RawClient(
            port: flow.port, sending: RawRequest.get("/stream", [flow.bearer]).text)
        var text = await client.read(until: "\"type\":\"news\"")
        #expect(text.contains("\"flow\":\"todo\""))
        let reply = try await flow.request([
            "do": "send", "action": ["type": "add", "text": "milk"],
        ])
        #expect(reply["ok"] == true)
        let value = try await flow.request(
            ["do": "value", "of": "rendering", "path": "rows[1].text"])
        #expect(value["value"]?["slice"] == "milk")
        text = await client.read(until: "\"step\":1")
        #expect(text.contains("milk"))
        _ = try await flow.request(["do": "send", "action": "finish"])
        #expect(try await flow.request(["do": "status"])["value"]?["of"] == 2)
        let (status, said) = await flow.finish()
        #expect(status == 130)
        #expect(said.split(separator: "\n").count == 1)
        #expect(await client.read().contains("event: bye\ndata: {\"reason\":\"closed\"}"))
        #expect(try flow.folder.names() == [])
    }

    @Test func aLinkWithFewScopesCannotDoMoreWhateverItAsks() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect", "--inspect-scope", "view"])
        for request: Value in [
            ["do": "send", "action": "finish"], ["do": "undo"], ["do": "goto", "step": 0],
            ["do": "eval", "expression": "1"], ["do": "reload"], ["do": "fork", "step": 0],
            ["do": "props", "props": [:]], ["do": "interrupt"], ["do": "branch"],
        ] {
            let answer = try await flow.ask(.post("/request", request, [flow.bearer]))
            #expect(answer.status == 403, "\(request)")
            #expect(answer.code == "not_granted")
        }
        #expect(try await flow.request(["do": "status"])["value"]?["of"] == 0)
        _ = await flow.finish()
    }

    @Test func aForeignNameIsRefusedWithTheOptionThatAllowsIt() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect"])
        #expect(
            try await flow.ask(RawRequest(host: "evil.example")).json["detail"]
                == "Open it at 127.0.0.1, or allow the name with --allow-host.")
        _ = await flow.finish()
    }

    @Test func fieldsThatAreSecretAreNotTold() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect", "--secret", "text"])
        _ = try await flow.request(["do": "send", "action": ["type": "add", "text": "sesame"]])
        for request: Value in [
            ["do": "value", "of": "rendering"], ["do": "value", "of": "state"],
            ["do": "value", "of": "input", "step": 1], ["do": "inputs"],
            ["do": "diff", "from": 0, "to": 1], ["do": "node", "path": "todo"],
            ["do": "journal", "from": 0, "to": 1], ["do": "recording"], ["do": "test"],
            ["do": "forms"],
        ] {
            let answer = try await flow.ask(.post("/request", request, [flow.bearer]))
            #expect(answer.status == 200)
            #expect(!answer.body.contains("sesame"), "\(request)")
        }
        _ = await flow.finish()
    }

    @Test func aForkIsAStreamOfItsOwn() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect"])
        _ = try await flow.request(["do": "send", "action": ["type": "add", "text": "milk"]])
        let fork = try await flow.request(["do": "fork", "step": 1])
        #expect(fork["value"]?["session"] == 2)
        let client = try await RawClient(
            port: flow.port, sending: RawRequest.get("/stream?session=2", [flow.bearer]).text)
        let text = await client.read(until: "\"type\":\"news\"")
        let stream = try #require(text.firstMatch(of: #/"stream":"([\w-]+)"/#)).1
        let added = try await flow.ask(
            .post(
                "/request?stream=\(stream)",
                ["do": "send", "action": ["type": "add", "text": "tea"]], [flow.bearer]))
        #expect(added.status == 200)
        #expect(try await flow.request(["do": "status"])["value"]?["of"] == 1)
        _ = try await flow.request(["do": "unfork", "session": 2])
        #expect(await client.read().contains("event: bye"))
        _ = await flow.finish()
    }

    @Test func aRecordingIsShownAtItsEndOrAtAStep() async throws {
        let folder = try Folder()
        let file = folder.path("s.jsonl")
        let recorded = try await ShownFlow([Self.todo, "--inspect", "--record", file])
        for text: Value in ["milk", "tea"] {
            _ = try await recorded.request(["do": "send", "action": ["type": "add", "text": text]])
        }
        _ = await recorded.finish()
        for (options, step) in [([], 2), (["--to", "1"], 1)] {
            let shown = try await ShownFlow(["replay", file, "--inspect"] + options)
            #expect(shown.said.contains("Played 2 inputs."))
            let status = try await shown.request(["do": "status"])["value"]
            #expect(status?["step"] == .int(step))
            #expect(status?["of"] == 2)
            let (code, _) = await shown.finish()
            #expect(code == 130)
        }
    }

    @Test func theSessionOfAnotherProgramIsShownUntilThatEnds() async throws {
        let folder = try Folder()
        let socket = folder.path("s.sock")
        let played = try await ShownFlow([Self.todo, "--inspect", "--listen", socket])
        let shown = try await ShownFlow(["attach", socket, "--web"])
        _ = try await shown.request(["do": "send", "action": ["type": "add", "text": "milk"]])
        #expect(try await played.request(["do": "status"])["value"]?["of"] == 1)
        _ = await played.finish()
        let (status, said) = await shown.finish(by: nil)
        #expect(status == 0)
        #expect(said.hasSuffix("The session has ended.\n"))
    }

    @Test func aPlainRunLoadsNothingOfTheInspector() async throws {
        let flow = try await ShownFlow([Self.todo, "--inspect"])
        #if os(Linux)
            let maps = try String(contentsOfFile: "/proc/\(flow.id)/maps", encoding: .utf8)
            #expect(maps.contains("libworkflow-inspector.so"))
            let program = try Data(contentsOf: Repository.workflowRun(), options: .alwaysMapped)
            for name in ["Hummingbird", "NIOPosix"] {
                #expect(program.range(of: Data(name.utf8)) == nil, "\(name)")
            }
        #endif
        _ = await flow.finish()
    }
}
