import LibC
import Subprocess
import WorkerKit

/// A program and all that it starts, unless that makes a session of its own.
struct ProcessGroup: Sendable {
    /// How a program is asked to end: half a second to clean up, then it is killed.
    static let teardown: [TeardownStep] = [
        .send(
            signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(500))
    ]

    /// Threads that do nothing but wait for programs, so that they hold up no worker.
    private static let waiters = WorkerThreads(limit: 4096)

    /// The number of the program, and of its group.
    let leader: pid_t

    /// Waits until the program has ended, cancelled or not, then kills what is left of its group.
    ///
    /// The program's number must not be given back to the system meanwhile: until then the group
    /// can be no other.
    func killWhenLeaderEnds() async {
        await withTaskExecutorPreference(Self.waiters) { waitForLeader() }
        kill(-leader, SIGKILL)
    }

    private func waitForLeader() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(leader), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}
