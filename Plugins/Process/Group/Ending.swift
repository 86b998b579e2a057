import LibC
import Subprocess

/// The ending of a program, by itself or by a signal.
struct Ending: Sendable {
    /// Nil if a signal ended it.
    let exitCode: Int?
    /// The name of the signal, such as `SIGKILL`.
    let signal: String?

    init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code):
            exitCode = Int(code)
            signal = nil
        case .signaled(let number):
            exitCode = nil
            signal = Self.names[number] ?? "SIG\(number)"
        }
    }

    private static let names: [Int32: String] = [
        SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
        SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT", SIGKILL: "SIGKILL",
        SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
        SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
        SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
}
