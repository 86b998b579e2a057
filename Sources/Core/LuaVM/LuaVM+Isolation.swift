import CLuaBridge

// Scripts in a process of their own: see ``Configuration/Isolation``.

extension LuaVM {
    /// Whether the process of the scripts has ended, so that every call fails until ``restart()``; false without
    /// isolation.
    public var isGone: Bool { lb_is_gone(bridge) }

    /// Starts a new, empty process for the scripts. `math.random` continues where it was.
    ///
    /// References, functions and objects made before become invalid. Do not call it from a host function. Throws a
    /// ``LuaError`` if no process can be started, or if the VM is not isolated.
    public func restart() throws(LuaError) {
        let status = lb_restart(bridge)
        if status == LB_NO_ISOLATION { throw LuaVM.noIsolation }
        guard status == LB_OK else { throw error(status) }
        functions = []
        freeFunctions = []
        raisedError = nil
    }

    /// Has the processes of scripts forked from one that has started already, from now on, so that they are there sooner.
    ///
    /// That one runs nothing, and ends with this program. For programs in which scripts get a new process often.
    package static func forkProcesses() { lb_fork_processes() }

    /// Ends the process of the scripts, for a reason of the host's own.
    package func abandon(_ reason: String) {
        reason.withCString { lb_abandon(bridge, $0) }
    }

    /// The number of the process among those that the VM has had; 0 if the scripts run in this one.
    package var generation: UInt32 { lb_generation(bridge) }

    /// The id of the process of the scripts; `nil` if there is none.
    package var processID: Int32? {
        let number = lb_process(bridge)
        return number > 0 ? number : nil
    }

    /// Has the process of the scripts do something that it may not; for tests.
    package func tryForbidden(_ what: UInt32) throws(LuaError) {
        try check(lb_try_forbidden(bridge, what))
    }

    static var noIsolation: LuaError {
        LuaError(
            .invalidUse,
            "scripts cannot have a process of their own here: "
                + String(cString: lb_isolation_problem()))
    }
}
