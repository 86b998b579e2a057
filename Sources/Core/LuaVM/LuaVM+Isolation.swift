import CLuaBridge

// Scripts in a process of their own: see ``Options/Isolation``.

extension LuaVM {
    /// True if the process of the scripts has ended, so that every call fails until ``restart()``;
    /// false without isolation.
    public var isGone: Bool { lb_is_gone(bridge) }

    /// Starts a new, empty process for the scripts. `math.random` continues.
    ///
    /// ```swift
    /// if vm.isGone { try vm.restart() }  // then load all scripts again
    /// ```
    ///
    /// - Warning: References, functions and objects made before become invalid. Do not call it from
    ///   a host function.
    /// - Throws: A ``LuaError`` if no process can be started, or if the VM is not isolated.
    public func restart() throws(LuaError) {
        assert(depth == 0, "a VM is restarted from a host function")
        let status = lb_restart(bridge)
        if status == LB_NO_ISOLATION { throw LuaVM.noIsolation }
        guard status == LB_OK else { throw error(status) }
        functions = []
        freeFunctions = []
        raisedError = nil
    }

    /// Makes later processes of scripts forks of one that has started already, which is faster for
    /// programs that start many. It runs nothing, and ends with this program.
    package static func forkProcesses() { lb_fork_processes() }

    /// Ends the process of the scripts for a reason of the host.
    package func abandon(_ reason: String) {
        reason.withCString { lb_abandon(bridge, $0) }
    }

    /// The number of the process among those of the VM; 0 if the scripts run in this one.
    package var generation: UInt32 { lb_generation(bridge) }

    package var processID: Int32? {
        let number = lb_process(bridge)
        return number > 0 ? number : nil
    }

    #if DEBUG
        /// Makes the process of the scripts do something forbidden; for tests.
        package func tryForbidden(_ what: UInt32) throws(LuaError) {
            try check(lb_try_forbidden(bridge, what))
        }
    #endif

    static var noIsolation: LuaError {
        LuaError(
            .invalidUse,
            "scripts cannot have a process of their own here: "
                + String(cString: lb_isolation_problem()))
    }
}
