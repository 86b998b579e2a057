import LuaVM
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// Finds the lines that write the values of a path, while calls of nodes are played again.
///
/// After each line, the tracer follows the path from the variables in scope and records which line
/// wrote which table. Then it follows a function's result back from table to table.
final class WriteTracer {
    /// A line that wrote the path in the state of the watched node.
    struct Write: Hashable {
        let location: FlowError.Location
        let phase: FlowPhase
        /// The index of the action in the step; `nil` before the first action.
        let action: Int?
    }

    /// The end of a call of a node's function.
    struct End {
        let call: TracedCall
        let phase: FlowPhase
        let action: Int?
        /// The line that returns.
        let location: FlowError.Location
        /// The writers of the returned value, for each remaining part of the path.
        let writers: [Writer]

        var node: NodePath { call.node }
    }

    struct Writer {
        /// The line; `nil` if the value existed before the call.
        var location: FlowError.Location?
        /// The child's rendering that contains the value, and the index of the path component from
        /// which the path continues in it.
        var child: (view: UnsafeRawPointer, step: Int)?
    }

    private struct Key: Hashable {
        let table: UnsafeRawPointer
        let step: Int
    }

    private struct Written {
        var token: UInt64
        var location: FlowError.Location?
    }

    private struct Call {
        let traced: TracedCall
        let node: NodePath
        let phase: FlowPhase
        let action: Int?
        let thread: UnsafeRawPointer?
        /// The depth of the Lua thread when the call began.
        let frames: Int
        /// The depth at the last traced line, by Lua thread.
        var lastFrames: [UnsafeRawPointer?: Int]
        var line: FlowError.Location?
        /// The watched value in the state before that line.
        var watched: UInt64?
    }

    /// More tables than scripts have memory for; a process that is not trusted can name any number.
    private static let mostTables = 1 << 22

    private let path: ValuePath
    private let watchedNode: NodePath?
    private let skipsRenders: Bool
    private let propsOf: NodePath?
    private let countActions: () -> Int
    private var calls: [Call] = []
    private var written: [Key: Written] = [:]
    /// Elements that a table constructor has computed but not stored yet.
    private var waiting: [Key: Written] = [:]
    /// The tables that existed before the call.
    private var before: Set<UnsafeRawPointer> = []
    /// The last place, whose file most lines have in common.
    private var lastLocation = FlowError.Location(file: "", line: 0)
    private var handed: (table: UnsafeRawPointer?, line: FlowError.Location?)?
    private(set) var ends: [End] = []
    private(set) var writes: [Write] = []

    /// - Parameters:
    ///   - path: The path in functions' results, in the state of `state` and the props of `props`.
    ///   - state: The path of the node whose state is watched.
    ///   - props: The path of the node whose props are followed to the line of its parent.
    ///   - skipsRenders: Skips renders, which do not contribute.
    init(
        _ path: ValuePath, state: NodePath? = nil, props: NodePath? = nil,
        skipsRenders: Bool = false, countActions: @escaping () -> Int = { 0 }
    ) {
        self.path = path
        watchedNode = state
        self.skipsRenders = skipsRenders
        propsOf = props
        self.countActions = countActions
    }

    var trace: FlowTrace {
        FlowTrace(tellsReturns: true, path: path) { [unowned self] call, moment in
            meet(call, moment)
        }
    }

    // MARK: Moments

    private func meet(_ traced: TracedCall, _ moment: borrowing LuaMoment) {
        // These write to no state that is there already.
        if watchedNode != nil, traced.makesStateOrRendering { return }
        if skipsRenders, traced.phase == .render { return }
        // A C function's return is only traced if it has run a coroutine. Its caller continues.
        guard let (level, location) = scripted(moment, from: 0) else { return }
        let frames = moment.depthInThread
        let isNew = enter(traced, moment, frames)
        guard var call = calls.last else { return }
        let isFirst =
            isNew || !moment.isReturn && frames > call.lastFrames[moment.thread, default: 0]
        if isNew {
            for place in moment.places(.reachable) where before.count < Self.mostTables {
                place.table.map { _ = before.insert($0) }
            }
        }
        if call.phase == .render || call.phase == .state {
            compare(moment, at: level, after: call.line, isFirst: isFirst)
        }
        if call.node == watchedNode { watch(moment, &call) }
        if moment.isReturn, frames == call.frames, moment.thread == call.thread {
            calls.removeLast()
            return end(call, moment, at: location)
        }
        let ends = moment.isReturn && level == 0
        call.line = (ends ? scripted(moment, from: 1)?.location : location) ?? call.line
        call.lastFrames[moment.thread] = moment.isReturn ? frames - 1 : frames
        calls[calls.count - 1] = call
    }

    /// Enters a call of a node's function, and leaves failed ones; true if a call begins now.
    private func enter(_ traced: TracedCall, _ moment: borrowing LuaMoment, _ frames: Int) -> Bool {
        // Failed calls report no return.
        while let last = calls.last,
            last.traced.depth > traced.depth
                || last.traced.depth == traced.depth && last.traced.number != traced.number
        {
            calls.removeLast()
        }
        guard calls.last?.traced.depth != traced.depth else { return false }
        assert(calls.last.map { $0.traced.depth < traced.depth } ?? true)
        let count = countActions()
        let call = Call(
            traced: traced, node: traced.node, phase: traced.phase,
            action: count > 0 ? count - 1 : nil, thread: moment.thread, frames: frames,
            lastFrames: [:])
        if call.phase == .render, call.node == propsOf {
            handed = (traced.propsTable, calls.last?.line)
        }
        calls.append(call)
        return true
    }

    /// The innermost call of a Lua function, starting at a level.
    private func scripted(
        _ moment: borrowing LuaMoment, from first: Int
    ) -> (level: Int, location: FlowError.Location)? {
        let line = first == 0 ? moment.line : 0
        if line > 0, moment.isIn(chunk: lastLocation.file) {
            lastLocation.line = line
            return (0, lastLocation)
        }
        var level = first
        while let call = moment.call(at: level) {
            if call.location.line > 0 {
                lastLocation = FlowError.Location(call.location)
                return (level, lastLocation)
            }
            level += 1
        }
        return nil
    }

    /// Records what the previous line stored in tables.
    private func compare(
        _ moment: borrowing LuaMoment, at level: Int, after line: FlowError.Location?, isFirst: Bool
    ) {
        for place in moment.places(.registers, at: level) {
            compare(place, line, isOld: false)
            noteElement(beside: place, moment, at: level, line)
        }
        for place in moment.places(.upvalues, at: level) { compare(place, line, isOld: isFirst) }
    }

    private func compare(_ place: LuaPlace, _ line: FlowError.Location?, isOld: Bool) {
        guard let table = place.table else { return }
        let key = Key(table: table, step: place.step)
        if let known = written[key] {
            if known.token != place.token {
                let made = waiting.removeValue(forKey: key)
                written[key] = Written(
                    token: place.token,
                    location: made?.token == place.token ? made?.location : line)
            }
        } else if written.count < Self.mostTables {
            let location = isOld || before.contains(table) ? nil : line
            written[key] = Written(token: place.token, location: location)
        }
    }

    /// Records an element of a list under construction; both are in registers without names yet.
    private func noteElement(
        beside place: LuaPlace, _ moment: borrowing LuaMoment, at level: Int,
        _ line: FlowError.Location?
    ) {
        guard place.token == 0, place.isVariable, waiting.count < Self.mostTables,
            let table = place.table,
            case .index(let index) = path.components[place.step]
        else { return }
        let key = Key(table: table, step: place.step)
        let token = moment.token(ofTemporary: place.variable + index, at: level)
        guard token != 0, moment.token(ofTemporary: place.variable, at: level) != 0 else { return }
        if waiting[key]?.token != token { waiting[key] = Written(token: token, location: line) }
    }

    /// Records what the previous line stored in the state, in any Lua thread.
    private func watch(_ moment: borrowing LuaMoment, _ call: inout Call) {
        guard let table = call.traced.stateTable else { return }
        let last = moment.places(.table(table)).last
        let token = last?.step == path.components.count - 1 ? last?.token ?? 0 : 0
        if let before = call.watched, before != token, let line = call.line {
            writes.append(Write(location: line, phase: call.phase, action: call.action))
        }
        call.watched = token
    }

    private func end(_ call: Call, _ moment: borrowing LuaMoment, at location: FlowError.Location) {
        var writers: [Writer] = []
        if call.phase == .render || call.phase == .state {
            writers = (0...path.components.count).map { step in
                writer(of: moment.places(.returned(from: step)))
            }
        }
        ends.append(
            End(
                call: call.traced, phase: call.phase, action: call.action, location: location,
                writers: writers))
    }

    private func writer(of places: [LuaPlace]) -> Writer {
        var writer = Writer()
        for place in places {
            if let table = place.table {
                let key = Key(table: table, step: place.step)
                writer.location = written[key]?.location ?? writer.location
            }
            if let view = place.view {
                writer.child = (view, place.table == nil ? place.step : place.step + 1)
            }
        }
        return writer
    }

    /// The line of the parent that wrote the followed props; `nil` if no Lua parent did.
    var lineOfProps: FlowError.Location? {
        guard let handed else { return nil }
        var location = handed.line
        var table = handed.table
        for step in path.components.indices {
            guard let next = table, let known = written[Key(table: next, step: step)] else { break }
            location = known.location ?? location
            table = known.token % 2 == 0 ? UnsafeRawPointer(bitPattern: UInt(known.token)) : nil
        }
        return location
    }
}
