import PlainValue
import Workflow
import WorkflowLua

/// The root of the tool: shows the widgets of its users, and collects what these notice.
struct Board: Workflow {
    /// The props that the session gives the board.
    struct Props: Decodable {
        var user: String
        var widgets: [String]
    }

    /// The state of the board. It is `Codable`, so snapshots have it.
    struct State: Codable, Equatable {
        var notices: [String] = []
    }

    /// The rendering that the session shows.
    struct Rendering: Encodable {
        var widgets: [String: Value]
        var notices: [String]
        var clear: Value
    }

    /// An output of the board for the tool.
    struct Output: Encodable, Equatable {
        var notice: String
    }

    /// An action that the tool may send to the board: `{ "type": "clear" }`.
    struct Act: WorkflowAction, Decodable {
        enum Kind: String, Decodable { case clear }

        var type: Kind

        func apply(toState state: inout State, context: ApplyContext<Board>) -> Output? {
            switch type {
            case .clear: state.notices = []
            }
            return nil
        }
    }

    /// A widget has noticed something.
    struct Notice: WorkflowAction, Equatable {
        var text: String

        func apply(toState state: inout State, context: ApplyContext<Board>) -> Output? {
            state.notices.append(text)
            return Output(notice: text)
        }
    }

    /// A script makes its widget, and a test another one.
    typealias Widget = AnyWorkflow<Value, Value>

    var props: Props
    /// Makes the widget of a name with its props.
    var widget: (String, Value) throws -> Widget

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Board>) -> Rendering {
        var widgets: [String: Value] = [:]
        for name in props.widgets {
            do {
                widgets[name] = try widget(name, ["user": .string(props.user)])
                    .rendered(in: context, key: name) { output in
                        output["notice"]?.string.map { Notice(text: $0) }
                    }
            } catch {
                widgets[name] = ["error": .string("\(error)")]
            }
        }
        return Rendering(
            widgets: widgets, notices: state.notices,
            clear: context.valueSink(["type": "clear"]))
    }
}
