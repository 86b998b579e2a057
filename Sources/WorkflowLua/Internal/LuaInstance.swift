import LuaVM
import PlainValue
import Workflow

/// What the runtime keeps of one scripted node on the Lua side: caches of plain values, nothing more.
///
/// The truth is in ``LuaState/value`` and the workflow's props. A table here is used while it is known to equal
/// them, and made anew otherwise: after a rollback, say, or a restore.
final class LuaInstance {
    /// The table of the state, and the value that it stands for.
    var stateTable: (table: LuaReference, value: Value)?
    /// The object that the node's functions receive, and the props that it holds.
    var context: LuaObject?
    var contextProps: Value?
    /// The last good rendering, and the view of it that a scripted parent receives.
    var rendering: Value?
    var renderingView: LuaReference?
    /// The time that the context holds as `now`.
    var contextNow: Double?
    /// The sinks without fields that the node has made: equal in each render, so made once.
    var sinks: [String: LuaReference] = [:]
    /// The workers that the node has declared, checked with these inputs.
    var works: [String: (input: Value, work: ScriptedWork)] = [:]
    /// The path of the node: its place never changes while it lives.
    var path: String?
}
