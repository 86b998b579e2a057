import LuaVM
import PlainValue
import TestSupport
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

enum TreeKind: String, CaseIterable, SessionSubject {
    case luaInLua, luaInSwift, swiftInLua, swiftInSwift

    /// The flow. A module tells it what its rows are.
    var source: FlowSource {
        switch self {
        case .luaInLua: .text(Self.list, name: "list.lua", modules: ["row": Self.row])
        case .swiftInLua:
            .text(Self.list.replacing(#"require "row""#, with: #""row""#), name: "list.lua")
        case .luaInSwift: .native("list", modules: ["row": Self.row])
        case .swiftInSwift: .native("list")
        }
    }

    func options(seed: UInt64) -> FlowOptions {
        var options = FlowOptions(
            props: ["isScripted": .bool(self == .luaInSwift)], limits: .unhurried,
            sessionName: rawValue, now: { 1_700_000_000_000 }
        ) { natives in
            natives.register("row", props: NativeRow.Props.self, actions: NativeRow.Act.self) {
                NativeRow(props: $0)
            }
            natives.register("list", props: NativeList.Props.self, actions: NativeList.Act.self) {
                NativeList(props: $0, scripts: $1)
            }
        }
        options.runsWorkers = false
        options.limits.seed = seed
        return options
    }

    var testDescription: String { rawValue }

    private var list: NodePath {
        switch self {
        case .luaInLua, .swiftInLua: "list"
        case .luaInSwift, .swiftInSwift: "host/list"
        }
    }

    func input(_ random: inout SeededNumbers) -> FlowInput.Kind {
        let id = Int.random(in: 1...5, using: &random)
        let row = NodePath(list.components + [.init(name: "row", key: "\(id)")])
        let isScriptedList = self == .luaInLua || self == .swiftInLua
        switch Int.random(in: 0..<(isScriptedList ? 10 : 6), using: &random) {
        case 0, 1: return .action(["type": "add", "id": .int(id)], node: list)
        case 2: return .action(["type": "remove", "id": .int(id)], node: list)
        case 3, 4: return .action(["type": "tap", "by": .int(id)], node: row)
        case 5: return .action(["type": "tell", "by": 0], node: row)
        case 6: return .action("draw", node: list)
        case 7: return .action("spoil", node: list)
        case 8: return .props(["isScripted": .bool(self == .luaInSwift), "greeting": .int(id)])
        default:
            let event: WorkerNews.Event =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .finished
                case 1: .failed(.init("no_luck", "no luck"))
                default: .output(["n": .int(id)])
                }
            return .worker(WorkerNews(node: list, worker: "watch.row", key: "\(id)", event: event))
        }
    }

    private static let list = #"""
        local Row = require "row"
        local List = { name = "list" }
        function List.state() return { ids = {}, news = {}, told = 0 } end
        List.apply = {
            add = function(state, action, context)
                for _, id in ipairs(state.ids) do if id == action.id then return end end
                table.insert(state.ids, context:random(#state.ids + 1), action.id)
            end,
            remove = function(state, action)
                for i, id in ipairs(state.ids) do
                    if id == action.id then table.remove(state.ids, i) end
                end
            end,
            draw = function(state, action, context)
                state.drawn = { context:random(1000), math.random(1000), context.now }
                return { drawn = state.drawn }
            end,
            spoil = function(state, action, context)
                state.ids = { context:random(9), math.random(9) }
                error("spoilt")
            end,
            told = function(state, action)
                state.told = state.told + action.output.taps
                return { told = state.told }
            end,
            news = function(state, action) state.news[#state.news + 1] = action.output.n end,
            bad_news = function(state, action) state.bad = action.error.message end,
            no_news = function(state) state.ended = (state.ended or 0) + 1 end,
        }
        function List.render(state, context)
            local rows = {}
            for i, id in ipairs(state.ids) do
                rows[i] = context:render(Row, { id = id }, { key = id, on_output = "told" })
                context:run("watch.row", { id = id, told = state.told // 10 }, {
                    key = id, on_output = "news", on_error = "bad_news", on_finish = "no_news",
                })
            end
            return { rows = rows, state = state, greeting = context.props.greeting }
        end
        return List
        """#

    private static let row = """
        return {
            name = "row",
            state = function() return { taps = 0 } end,
            apply = {
                tap = function(state, action) state.taps = state.taps + action.by end,
                tell = function(state) return { taps = state.taps } end,
            },
            render = function(state, context)
                return { id = context.props.id, taps = state.taps }
            end,
        }
        """
}

struct NativeRow: Workflow, Equatable {
    struct Props: Decodable, Equatable { var id: Int }
    struct State: Codable, Equatable { var taps = 0 }
    struct Output: Codable { var taps: Int }
    struct Rendering: Codable { var id: Int, taps: Int }

    struct Act: WorkflowAction, Codable, Sendable {
        var type: String
        var by: Int

        func apply(toState state: inout State, context: ApplyContext<NativeRow>) throws -> Output? {
            if type == "tell" { return Output(taps: state.taps) }
            state.taps += by
            return nil
        }
    }

    var props: Props
    var nodeName: String { "row" }
    func makeInitialState() -> State { State() }
    func render(state: State, context: RenderContext<NativeRow>) -> Rendering {
        Rendering(id: props.id, taps: state.taps)
    }
}

struct NativeList: Workflow, Equatable {
    struct Props: Decodable, Equatable { var isScripted: Bool }
    struct State: Codable, Equatable { var ids: [Int] = [], told = 0 }
    struct Output: Codable { var told: Int }
    struct Rendering: Encodable { var rows: [Value], told: Int }

    struct Act: WorkflowAction, Codable, Sendable {
        var type: String
        var id: Int

        func apply(
            toState state: inout State, context: ApplyContext<NativeList>
        ) throws -> Output? {
            state.ids.removeAll { $0 == id }
            if type == "add" { state.ids.append(id) }
            return nil
        }
    }

    var props: Props
    var scripts: FlowScripts
    var nodeName: String { "list" }
    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<NativeList>) -> Rendering {
        func told(_ taps: Int) -> AnyWorkflowAction<NativeList> {
            AnyWorkflowAction { state, _ in
                state.told += taps
                return Output(told: state.told)
            }
        }
        let rows = state.ids.map { id -> Value in
            guard props.isScripted else {
                let row = NativeRow(props: .init(id: id))
                    .rendered(in: context, key: "\(id)") { told($0.taps) }
                return ["id": .int(row.id), "taps": .int(row.taps)]
            }
            do {
                return try scripts.workflow("row", props: ["id": .int(id)])
                    .rendered(in: context, key: "\(id)") { told($0["taps"]?.int ?? 0) }.value
            } catch {
                context.fail(error)
                return .null
            }
        }
        return Rendering(rows: rows, told: state.told)
    }
}
