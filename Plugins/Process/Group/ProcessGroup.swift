import LibC
import Subprocess
import WorkerKit

/// A program and the processes that it starts, except those in sessions of their own.
struct ProcessGroup: Sendable {
    /// The way to stop a program: it has half a second to clean up, then it is killed.
    static let teardown: [TeardownStep] = [
        .send(
            signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(500))
    ]

    /// Threads that only wait for programs, so that they block no worker.
    private static let waiters = WorkerThreads(limit: 4096)

    /// The process id of the program and the id of its group.
    let leader: pid_t

    /// Waits until the program has ended, even if cancelled, then kills the rest of its group.
    ///
    /// - Important: The program must not be reaped before that, so that the group's id cannot be
    ///   reused.
    func killWhenLeaderEnds() async {
        await withTaskExecutorPreference(Self.waiters) { waitForLeader() }
        kill(-leader, SIGKILL)
    }

    private func waitForLeader() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}
