import Foundation
import LuaVM
import PlainValue
import TestSupport
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

struct ExampleFlow: SessionSubject {
    let name: String
    var props: Value = [:]
    var propsFile: String?
    let inputs: [FlowInput.Kind]

    var testDescription: String { name }

    private static let folder = (1...4).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appending(path: "Examples")

    private func path(_ file: String) -> String {
        let folder = name == "tea" ? "tutorial" : name
        return Self.folder.appending(path: "\(folder)/\(file)").path()
    }

    var source: FlowSource { .file(path("\(name).lua")) }

    func options(seed: UInt64) throws -> FlowOptions {
        var options = FlowOptions(
            props: props, runsWorkers: false, sessionName: name, now: { 1_700_000_000_000 })
        if let propsFile {
            let text = try String(contentsOfFile: path(propsFile), encoding: .utf8)
            options.props = try Value(json: text)
        }
        options.limits.seed = seed
        // Tests run concurrently with others.
        options.limits.timeLimit = .unreached
        return options
    }

    func input(_ random: inout SeededNumbers) -> FlowInput.Kind {
        inputs[Int.random(in: 0..<inputs.count, using: &random)]
    }

    static let all: [any SessionSubject] = [
        ExampleFlow(name: "hello", inputs: [act("hello", "leave"), .props(["name": "Ada"])]),
        ExampleFlow(
            name: "counter",
            inputs: [
                act("counter", "increment"), act("counter", "decrement"), act("counter", "reset"),
                .props(["step": 5]),
            ]),
        ExampleFlow(
            name: "todo",
            inputs: [
                act("todo", "add", ["text": "tea"]), act("todo", "add", ["text": "mug"]),
                act("todo", "add"), act("todo", "finish"),
            ]
                + (1...4).flatMap { id in
                    let item = "todo/item:\(id)"
                    return [
                        act(item, "toggle"), act(item, "edit"), act(item, "remove"),
                        act(item, "rename", ["text": "cup"]),
                    ]
                }),
        ExampleFlow(
            name: "tic-tac-toe", propsFile: "players.json",
            inputs: [act("tic-tac-toe", "again")]
                + (1...3).flatMap { game in
                    (1...9).map { field in
                        act(
                            "tic-tac-toe/take_turns:\(game)", "take",
                            ["row": .int((field - 1) / 3 + 1), "column": .int((field - 1) % 3 + 1)])
                    }
                }),
        ExampleFlow(
            name: "welcome",
            inputs: [
                act("welcome/splash", "continue"), act("welcome", "back"),
                act("welcome/login", "edit", ["email": "ada"]), act("welcome/login", "sign_up"),
                act("welcome/sign_up", "edit", ["email": "ada@example.org"]),
                act("welcome/sign_up", "submit"), act("welcome/login", "submit"),
            ]),
        ExampleFlow(
            name: "checkout", propsFile: "cart.json",
            inputs: [
                act("checkout", "add_item", ["sku": "tea-01"]),
                act("checkout", "add_item", ["sku": "pot-03", "price": 40, "quantity": 1]),
                act("checkout", "remove_item", ["sku": "pot-03"]), act("checkout", "pay"),
                act("checkout/payment", "declined", ["reason": "card expired"]),
                act("checkout/payment", "authorized"), act("checkout/payment", "retry"),
            ]),
        ExampleFlow(
            name: "stopwatch",
            inputs: ["lap", "pause", "resume", "reset"].map { act("stopwatch", $0) }
                + (1...3).map { worker("stopwatch", "clock.every", .output(["tick": .int($0)])) }),
        ExampleFlow(
            name: "tea",
            inputs: [
                act("tea", "brew"), act("tea", "brew", ["minutes": 1]), act("tea", "leave"),
                worker("tea", "clock.after", .output([:])), worker("tea", "clock.after", .finished),
            ]),
        ExampleFlow(
            name: "weather", props: ["url": "http://127.0.0.1:1/oslo.json"],
            inputs: [
                worker(
                    "weather", "http.get",
                    .output(["status": 200, "json": ["place": "Oslo", "celsius": 7.5]])),
                worker("weather", "http.get", .output(["status": 404])),
                worker("weather", "http.get", .failed(WorkerError("timeout", "no answer"))),
                worker("weather", "http.get", .finished), act("weather", "reload"),
                act("weather", "close"), .props(["url": "http://127.0.0.1:1/rome.json"]),
            ]),
        ExampleFlow(
            name: "build-watch", props: ["path": "src", "program": "make", "arguments": ["all"]],
            inputs: [
                worker("build-watch", "file.watch", .output(["path": "src/a.c"])),
                act("build-watch", "run"), act("build-watch", "stop"),
            ]
                + (0...4).flatMap { run in
                    [
                        worker(
                            "build-watch", "process.run",
                            .output(["exit_code": 0, "stdout": "built", "stderr": ""]),
                            key: "\(run)"),
                        worker(
                            "build-watch", "process.run",
                            .failed(WorkerError("gone", "no make")), key: "\(run)"),
                    ]
                }),
        ExampleFlow(
            name: "notes", props: ["database": "notes.sqlite"],
            inputs: [
                act("notes", "add", ["text": "buy tea"]), act("notes", "remove", ["id": 1]),
                act("notes", "close"),
            ]
                + (1...4).flatMap { step in
                    [
                        worker(
                            "notes", "sqlite.transaction",
                            .output([[:], [:], ["rows": [["id": .int(step), "text": "buy tea"]]]]),
                            key: "\(step)"),
                        worker(
                            "notes", "sqlite.transaction",
                            .failed(WorkerError("busy", "try later")), key: "\(step)"),
                    ]
                }),
    ]
}

private func act(_ node: String, _ type: String, _ fields: Value.Record = [:]) -> FlowInput.Kind {
    var action = fields
    action["type"] = .string(type)
    return .action(.record(action), node: NodePath(node) ?? NodePath([]))
}

private func worker(
    _ node: String, _ worker: String, _ event: WorkerNews.Event, key: String = ""
) -> FlowInput.Kind {
    .worker(
        WorkerNews(node: NodePath(node) ?? NodePath([]), worker: worker, key: key, event: event))
}
