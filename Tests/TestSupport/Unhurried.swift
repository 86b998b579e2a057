package import LuaVM

/// The seconds after which a program that a test waits for is ended. No load lets it take so long.
package let patience = 600.0

extension Duration {
    /// A limit that nothing should reach, even on a busy machine; it only ends hangs.
    package static let unreached = Duration.seconds(patience)
}

extension LuaVM.Options {
    /// The usual limits, without those of time that a busy machine could reach.
    package static var unhurried: Self {
        var limits = Self()
        limits.timeLimit = .unreached
        limits.isolationGrace = .unreached
        return limits
    }
}

extension LuaVM.Options.Isolation {
    package static var all: [Self] {
        #if os(Linux)
            [.none, .process]
        #else
            [.none]
        #endif
    }
}

/// Runs `body` within a call of another VM. All calls in it are under the limit of time of that
/// one, and not under one of their own, which load could reach.
package func unhurried<Success>(_ body: @escaping () throws -> Success) throws -> Success {
    let vm = try LuaVM(.unhurried)
    var result: Result<Success, any Error>?
    let function = try vm.makeFunction { _ in
        result = Result(catching: body)
        return nil
    }
    _ = try vm.call(function)
    guard let result else { throw Missing(what: "result") }
    return try result.get()
}
