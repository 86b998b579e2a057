import ArgumentParser
package import LuaVM

package struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds that one call may take.", valueName: "s"))
    var maxTime = 1.0

    @Option(help: ArgumentHelp("Megabytes that the flow may use.", valueName: "mb"))
    var maxMemory = 64

    @Option(help: ArgumentHelp("Lua instructions that one call may run.", valueName: "n"))
    var maxInstructions: Int?

    @Option(help: ArgumentHelp("Seed of the random numbers.", valueName: "n"))
    var seed: UInt64 = 0

    @Flag(
        help: "Run the flow's scripts in a process of their own, which can reach nothing else.")
    package var isolate = false

    package init() {}

    package func validate() throws {
        try LuaVM.Options.check(seconds: maxTime, megabytes: maxMemory)
        try check(
            maxInstructions.map { $0 > 0 } ?? true, "--max-instructions takes a number above 0.")
    }

    package var limits: LuaVM.Options {
        var limits = LuaVM.Options(
            seconds: maxTime, megabytes: maxMemory, seed: seed, isIsolated: isolate)
        limits.instructionLimit = maxInstructions
        return limits
    }
}

extension LuaVM.Options {
    /// Checks the ranges of `--max-time` and `--max-memory`.
    static func check(seconds: Double, megabytes: Int) throws {
        try WorkflowCommand.check(
            (0.001...1e6).contains(seconds),
            "--max-time takes a number of seconds from 0.001 to 1000000.")
        try WorkflowCommand.check(
            (1...1_000_000).contains(megabytes),
            "--max-memory takes a number of megabytes from 1 to 1000000.")
    }

    init(seconds: Double, megabytes: Int, seed: UInt64, isIsolated: Bool) {
        self.init()
        timeLimit = .milliseconds(Int(seconds * 1000))
        memoryLimit = megabytes << 20
        self.seed = seed
        isolation = isIsolated ? .process : .none
    }
}
