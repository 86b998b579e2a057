import Workflow

/// The workflow that the testers are tested with: loads a user, shows a child, and counts taps.
struct Profile: Workflow, Equatable {
    var id = 7

    struct State: Equatable {
        var name: String?
        var taps = 0
    }

    enum Action: WorkflowAction, Equatable, Sendable {
        case loaded(String)
        case tapped
        case done
        case refuse

        func apply(toState state: inout State, context: ApplyContext<Profile>) throws -> String? {
            switch self {
            case .loaded(let name): state.name = name
            case .tapped: state.taps += context[workflowValue: \.id]
            case .done: return state.name
            case .refuse:
                state.taps = -1
                throw Refusal()
            }
            return nil
        }
    }

    struct Refusal: Error, CustomStringConvertible { var description: String { "not now" } }

    struct Rendering {
        var title: String
        var badge: String
        var sink: Sink<Action>
    }

    typealias Output = String

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Profile>) -> Rendering {
        if state.name == nil {
            LoadName(id: id).mapOutput { Action.loaded($0) }.running(in: context)
        }
        context.runSideEffect(key: "log") { _ in }
        let badge = Badge(count: state.taps).rendered(in: context, key: "badge") { _ in Action.done
        }
        return Rendering(
            title: state.name ?? "Loading", badge: badge, sink: context.makeSink(of: Action.self))
    }
}

struct LoadName: Worker, Equatable {
    var id: Int

    func run() async throws -> String {
        try await WorkerClock.sleep(for: .seconds(2))
        return "Ada \(id)"
    }
}

struct Badge: Workflow, Equatable {
    var count: Int
    typealias Output = Int

    func render(state: Void, context: RenderContext<Badge>) -> String { "badge \(count)" }
}
