// What the examples of doc comments take for granted.
import ArgumentParser
import ClockPlugin
import FilePlugin
import FlowExploring
import FlowInspecting
import FlowOrigins
import FlowProtocol
import FlowService
import FlowTesting
import Foundation
import HTTPPlugin
import InspectorServer
import LuaVM
import PlainValue
import ProcessPlugin
import SQLitePlugin
import SessionPlugin
import Testing
import Timers
import WorkerKit
import Workflow
import WorkflowCommand
import WorkflowKit
import WorkflowLua
import WorkflowPlugins
import WorkflowPostgreSQL
import WorkflowStore
import WorkflowTesting

/// A value that is there when the example runs.
func given<Value>() -> Value { fatalError("an example is compiled, not run") }

var api: API { given() }
var action: Value { given() }
var clock: TimerClock { given() }
var counter: String { given() }
var file: String { given() }
var flow: LuaFlow { given() }
var folder: String { given() }
var host: WorkflowHost<Counter> { given() }
var journal: Journal { given() }
var lines: [String] {
    get { given() }
    set {}
}
var log: [String] {
    get { given() }
    set {}
}
var options: FlowOptions {
    get { given() }
    set {}
}
var order: Value {
    get { given() }
    set {}
}
var path: String { given() }
var script: LuaReference { given() }
var session: FlowSession { given() }
var source: String { given() }
var store: SQLiteSessionStore { given() }
var tea: String { given() }
var text: String { given() }
var vm: LuaVM { given() }

struct User: Codable, Sendable { var name: String }
struct API: Sendable {
    func user(_ id: Int) async throws -> User { given() }
    func page(_ number: Int) async throws -> [String] { given() }
}
struct Journal: Sendable { func note(_ text: String) {} }

enum LuaErrorExamples { static var vm: LuaVM { given() } }
enum LuaObjectExamples {
    static var function: LuaReference { given() }
    static var render: LuaReference { given() }
}
enum LuaReferenceExamples { static var chunk: LuaReference { given() } }
enum ValueEncoderExamples {
    struct Line: Codable {
        var title: String
        var price: Double
    }
}

// Nodes that are rendered, and their children.
struct Article: Workflow {
    enum Action: WorkflowAction {
        case found([String]), heard(Value), loaded([String])
        func apply(toState state: inout State, context: ApplyContext<Article>) -> Never? { nil }
    }
    struct State {
        var page = 1
        var text = "", word = ""
    }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<Article>) {}
}
enum AnyWorkflowActionExamples {
    struct Bridge: Workflow {
        typealias Output = Value
        func render(state: Void, context: RenderContext<Bridge>) {}
    }
    static var context: RenderContext<Bridge> { given() }
}
enum AnyWorkflowConvertibleExamples {
    typealias Action = Article.Action
    static var context: RenderContext<Article> { given() }
    static var state: Article.State { given() }
}
enum ClosureWorkerExamples {
    typealias Action = Article.Action
    static var context: RenderContext<Article> { given() }
    static var state: Article.State { given() }
}
enum EmittingWorkerExamples {
    typealias Action = Article.Action
    struct Search: EmittingWorker, Equatable {
        var text: String
        func run(into sink: WorkerSink<[String]>) async throws {}
    }
    static var context: RenderContext<Article> { given() }
    static var state: Article.State { given() }
}
enum LifetimeExamples { static var context: RenderContext<Article> { given() } }
enum RenderContextExamples {
    typealias Action = Counter.Action
    typealias Screen = Counter.Screen
}
enum ActionTesterExamples {}
enum RenderTesterExamples {
    struct LoadUser: Worker, Equatable {
        var id: Int
        func run() async throws -> User { given() }
    }
    struct ProfileWorkflow: Workflow {
        enum State: Equatable { case loading, loaded(String) }
        var userID: Int
        func makeInitialState() -> State { .loading }
        func render(state: State, context: RenderContext<Self>) -> (title: String, id: Int) {
            given()
        }
    }
}
enum FlowExplorationExamples { static var options: FlowExplorationOptions { given() } }
enum FlowTestFailureExamples { static var results: [FlowTestResult] { given() } }
struct Upper: Workflow, Decodable {
    var text: String
    func render(state: Void, context: RenderContext<Upper>) -> String { text }
}
enum ServiceOptionsExamples { static var store: String { given() } }

// Workers of plugins.
struct Input: Codable, Sendable {
    var name = "", path = "", text = ""
    var times = 1
}
var context: WorkerContext { given() }
var greeter: Plugin { given() }
var input: Input { given() }
var registry: WorkerRegistry { given() }
enum PluginExamples {
    struct Count: PluginWorker {
        static let name = "greeter.count"
        static let summary = "Counts."
        func run(_ input: Input, context: WorkerContext) async throws -> Int { 1 }
    }
}
actor Found { func add(_ value: Value) {} }
var found: Found { given() }
