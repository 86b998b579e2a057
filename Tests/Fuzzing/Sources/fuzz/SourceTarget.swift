import LuaVM
import PlainValue

/// Lua source text: any text is refused or runs in the sandbox within its limits. Afterwards the VM
/// is usable, and everything the text left behind can be collected.
enum SourceTarget: FuzzTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let vm = try? LuaVM(.fuzzing) else { contradiction("no VM") }
        vm.onPrint = { _ = $0 }
        sendSignals(for: bytes, stops: 8)
        do throws(LuaError) {
            let chunk = try vm.load(bytes, chunkName: "t.lua")
            _ = try vm.call(chunk, returning: .both)
        } catch {
            check(error)
        }
        sendSignals(for: bytes)
        guard vm.depth == 0 else { contradiction("a call has not ended") }
        do throws(LuaError) {
            let again = try vm.load("return { 1, { a = 'b' } }", chunkName: "again")
            let value = try vm.call(again, returning: .value).value
            guard value == [1, ["a": "b"]] else {
                contradiction("not at hand: \(String(describing: value))")
            }
        } catch {
            contradiction("not at hand: \(error)")
        }
        vm.collectGarbage()
        guard vm.memoryInUse < 1 << 20 else { contradiction("\(vm.memoryInUse) bytes are left") }
    }

    /// Every error has a message, and a place unless it concerns the whole text.
    static func check(_ error: LuaError) {
        _ = error.description
        guard error.location?.line ?? 1 >= 0 else { contradiction("line of \(error)") }
        guard !error.message.isEmpty || error.code == .runtime else {
            contradiction("no message: \(error.code)")
        }
        for local in error.locals {
            // A hundred bytes, each of which may be invalid UTF-8.
            guard local.value.utf8.count <= 300 else { contradiction("a long local") }
        }
    }
}

extension LuaVM.Options {
    /// Small limits: slow inputs find nothing that fast ones do not. Instructions are counted, so
    /// that an input always does the same. The distant deadline is for work without instructions.
    static let fuzzing: LuaVM.Options = {
        var options = LuaVM.Options()
        options.instructionLimit = 20_000
        options.timeLimit = .seconds(2)
        options.memoryLimit = 2 << 20
        options.printLimit = 4096
        options.valueLimits = ValueLimits(depth: 128, count: 10_000, byteCount: 1 << 20)
        return options
    }()
}
