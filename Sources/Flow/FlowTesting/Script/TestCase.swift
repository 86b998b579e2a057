import LuaVM
import WorkflowLua

/// A test that a file defines.
struct TestCase {
    let name: String
    let group: TestGroup
    /// The function of the test; `nil` for a pending one.
    let body: LuaReference?
    let location: FlowError.Location?

    var path: [String] { group.path + [name] }
}
