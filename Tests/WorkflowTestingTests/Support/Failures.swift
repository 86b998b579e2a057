import IssueReporting
import Synchronization

/// The messages of the failures that `body` causes, without failing the test.
func failures(of body: () -> Void) -> [String] {
    let reporter = Collecting()
    withIssueReporters([reporter]) { body() }
    return reporter.messages.withLock { $0 }
}

private final class Collecting: IssueReporter {
    let messages = Mutex<[String]>([])

    func reportIssue(
        _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
        filePath: StaticString, line: UInt, column: UInt
    ) {
        let message = message() ?? ""
        messages.withLock { $0.append(message) }
    }
}
