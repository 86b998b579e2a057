import ArgumentParser
import LuaVM

/// The options that bound what a call into a flow may take.
struct LimitOptions: ParsableArguments {
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
    var isolate = false

    func validate() throws {
        func check(_ holds: Bool, _ message: String) throws {
            guard holds else { throw ValidationError(message) }
        }
        try check(
            (0.001...1e6).contains(maxTime), "--max-time takes a number of seconds from 0.001 on.")
        try check(
            (1...1_000_000).contains(maxMemory),
            "--max-memory takes a number of megabytes from 1 on.")
        try check(
            maxInstructions.map { $0 > 0 } ?? true, "--max-instructions takes a number above 0.")
    }

    /// The limits as a session takes them.
    var limits: LuaVM.Configuration {
        var limits = LuaVM.Configuration()
        limits.timeLimit = .milliseconds(Int(maxTime * 1000))
        limits.memoryLimit = maxMemory << 20
        limits.instructionLimit = maxInstructions
        limits.seed = seed
        limits.isolation = isolate ? .process : .none
        return limits
    }
}
