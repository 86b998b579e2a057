#if SIGNALS
    import CLuaBridge

    extension LuaVM {
        /// Lets the watchdog's signal arrive on this thread at one of about `places` calls of the allocator, again the same
        /// ones for the same seed; `stops` of 256 of them stop the call that is under way. For tests.
        package static func sendSignals(seed: UInt64, places: UInt32 = 40, stops: UInt32 = 0) {
            lb_signals(seed, places, stops)
        }
    }
#endif
