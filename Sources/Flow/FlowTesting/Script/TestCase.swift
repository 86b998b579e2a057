import LuaVM
import WorkflowLua

/// A test that a file defines.
struct TestCase {
    let name: String
    let group: TestGroup
    /// What it does; `nil` for one that is pending.
    let body: LuaReference?
    let location: FlowError.Location?

    var path: [String] { group.path + [name] }
}
