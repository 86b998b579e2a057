#if canImport(Glibc)
    import Foundation
    package import LibC

    extension PseudoTerminal {
        /// Starts a program as the leader of a session with this terminal. Returns its process id,
        /// for which ``exitStatus(of:)`` must be called.
        package func start(_ arguments: [String], environment: [String: String]) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // POSIX_SPAWN_SETSID, which Swift does not import.
            posix_spawnattr_setflags(&attributes, 0x80)
            var words = arguments.map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
            defer { (words + variables).forEach { free($0) } }
            var id: pid_t = 0
            let failure = posix_spawn(&id, arguments[0], &actions, &attributes, &words, &variables)
            guard failure == 0 else {
                throw Missing(what: "\(arguments[0]): \(String(cString: strerror(failure)))")
            }
            return id
        }

        /// Waits for a program started here to end; returns its exit status as a shell reports it.
        package static func exitStatus(of process: pid_t) async -> Int32 {
            let status = await withCheckedContinuation { continuation in
                // Waiting blocks the thread.
                DispatchQueue(label: "wait").async {
                    var status: Int32 = 0
                    waitpid(process, &status, 0)
                    continuation.resume(returning: status)
                }
            }
            return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        }
    }
#endif
