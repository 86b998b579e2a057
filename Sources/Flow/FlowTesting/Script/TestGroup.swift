import LuaVM
import WorkflowLua

/// A group of tests made by `describe`, with the functions that run before and after each test.
final class TestGroup {
    /// The names of the groups from the outermost to this one.
    let path: [String]
    let outer: TestGroup?
    var before: [LuaReference] = []
    var after: [LuaReference] = []

    init(path: [String], outer: TestGroup?) {
        self.path = path
        self.outer = outer
    }

    /// All functions that run before a test, outermost first.
    var allBefore: [LuaReference] { (outer?.allBefore ?? []) + before }
    /// All functions that run after a test, innermost first.
    var allAfter: [LuaReference] { after + (outer?.allAfter ?? []) }
}

/// A test that a file defines.
struct TestCase {
    let name: String
    let group: TestGroup
    /// The function of the test; `nil` for a pending one.
    let body: LuaReference?
    let location: FlowError.Location?

    var path: [String] { group.path + [name] }
}
