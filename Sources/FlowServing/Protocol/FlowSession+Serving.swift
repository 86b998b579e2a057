import PlainValue
public import WorkflowKit
import WorkflowLua

extension FlowSession {
    /// Serves one line of the JSON protocol, for whoever brings requests from elsewhere: a pipe, a socket, a web page.
    ///
    /// All that it causes at once has happened when this returns. An error is told, never thrown.
    ///
    /// - Parameters:
    ///   - line: The line; `nil` stands for one that is no UTF-8 text. An empty one is nothing.
    ///   - client: The number of whoever asks, which the events that it asks for tell to all others.
    ///   - answer: Called with what is for the client alone: its `reply`, the `snapshot` that it asked for, and an `error`
    ///     about what is no request. Without it these become events of the session.
    ///   - patches: What tells the client of renderings, if it can do so by patches.
    /// - Returns: Whether it was the last one: `quit`.
    public func serve(
        _ line: String?, of client: Int? = nil, patches: RenderingPatches? = nil,
        answer: (@Sendable (FlowEvent.Kind) -> Void)? = nil
    ) -> Bool {
        func send(_ kind: FlowEvent.Kind) {
            if let answer { answer(kind) } else { record(kind) }
        }
        guard let line else {
            send(.error(FlowError(.badRequest, "the line is no UTF-8 text")))
            return false
        }
        if line.allSatisfy(\.isWhitespace) { return false }
        let value: Value
        do throws(JSONError) {
            value = try Value(json: line)
        } catch {
            send(.error(.noRequest("the line is no JSON: \(error)")))
            return false
        }
        let id = value["id"]
        do throws(FlowError) {
            let request: FlowRequest
            do throws(FlowError) {
                request = try FlowRequest(value)
            } catch {
                send(.error(error))
                throw error
            }
            let result: Value?
            if case .snapshot = request {
                send(.snapshot(try snapshot().document))
                result = nil
            } else {
                if case .patches(let isOn) = request {
                    guard let patches else { throw .noPatches }
                    patches.setOn(isOn)
                }
                result = try serve(request, of: client)
            }
            if let id { send(.reply(id: id, value: result)) }
            if case .quit = request { return true }
        } catch {
            if let id {
                send(.reply(id: id, error: error))
            } else if (try? FlowRequest(value))?.onlyLooks == true {
                // It is no event of the session, and would be lost.
                send(.error(error))
            }
        }
        return false
    }

    /// Does what a request says, and gives what it asks for.
    private func serve(_ request: FlowRequest, of client: Int?) throws(FlowError) -> Value? {
        log.client = client
        defer { log.client = nil }
        switch request {
        case .quit, .snapshot, .patches: break
        case .send(let action, let node): try send(action, to: node)
        case .sink(let sink, let fields): try send(sink: sink, with: fields)
        case .undo: try undo()
        case .redo: try redo()
        case .branch: try branch()
        case .go(let step): try go(to: step)
        case .reload(let policy): try reload(policy)
        case .props(let props): try update(props: props)
        case .interrupt: return .bool(interrupt())
        case .status: return status.document
        case .nodes: return nodes()?.document ?? []
        case .timeline(let tellsChanges):
            var record: Value.Record = [
                "step": .int(step), "of": .int(stepCount),
                "inputs": .list(Value.List(inputs.map(\.document))),
            ]
            if tellsChanges { record["steps"] = .list(Value.List(try steps().map(\.document))) }
            return .record(record)
        case .rendering(let step): return try rendering(at: step ?? self.step)
        case .eval(let expression, let names): return try value(of: expression, where: names)
        case .why(let path): return try origin(of: path).document
        case .whyNode(let node): return try origin(ofNode: node).document
        case .logRendering(let points):
            return .list(Value.List(try logRendering(points).map(\.document)))
        case .log(let points, let first, let last):
            let steps = try steps(from: first, through: last ?? stepCount)
            return .list(Value.List(try log(points, steps: steps).map(\.document)))
        }
        return nil
    }
}

extension FlowSession {
    /// The steps between two, which must be such.
    private func steps(from first: Int, through last: Int) throws(FlowError) -> ClosedRange<Int> {
        guard 0...stepCount ~= first, first...stepCount ~= last else {
            throw FlowError(
                .misuse, "there are no steps \(first) to \(last)",
                help: "steps are counted from 0 to \(stepCount)")
        }
        return first...last
    }
}

extension FlowError {
    fileprivate static let noPatches = FlowError(
        .badRequest, "renderings are told whole here", help: "leave out \"patches\"")

    /// What is no request at all.
    static func noRequest(_ message: String) -> FlowError {
        FlowError(
            .badRequest, message,
            help:
                "a request is an object, such as {\"id\":1,\"do\":\"send\",\"action\":\"add\"}")
    }
}
