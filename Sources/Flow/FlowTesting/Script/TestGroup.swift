import LuaVM

/// What stands between `describe` and its end: a name, and what runs before and after each of its tests.
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

    /// All that runs before a test, the outermost first.
    var allBefore: [LuaReference] { (outer?.allBefore ?? []) + before }
    /// All that runs after a test, the innermost first.
    var allAfter: [LuaReference] { after + (outer?.allAfter ?? []) }
}
