import CLuaProbe
@testable import LuaVM
import PlainValue
import TestSupport
import Testing

/// Lua can lose a hook set at an unlucky moment: the thread has it, the running function does not.
@Suite struct LostHookTests {
    @Test func aLoopThatLostTheHookEndsAtTheLimit() throws {
        var options = LuaVM.Options()
        options.timeLimit = .milliseconds(50)
        let vm = try LuaVM(options)
        var isLost = false
        try vm.define("lose") { [unowned vm] _ throws(LuaError) in
            isLost = probe_lose_hook(UnsafeMutableRawPointer(vm.bridge))
            return .none
        }
        let error = try vm.failure(of: "lose()\nwhile true do end")
        #expect(isLost)
        #expect(error.code == .timeLimit)
        #expect(try vm.run("return 1") == 1)
    }
}
