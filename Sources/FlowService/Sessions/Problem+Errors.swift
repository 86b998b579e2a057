import HTTPServing
import PlainValue
import WorkflowLua
import WorkflowStore

/// Runs a function and turns its errors into problems for clients.
func problems<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
) async throws(Problem) -> Result {
    do {
        return try await body()
    } catch {
        throw Problem(error)
    }
}

extension Problem {
    /// The problem for an error of a session or store.
    init(_ error: any Error) {
        switch error {
        case let error as Problem: self = error
        case let error as FlowError: self.init(error)
        case let error as StoreError: self.init(error)
        default:
            self.init(
                .serviceUnavailable, "cancelled", "The request was given up",
                detail: "Ask again, under the same key if it has one.", retryAfter: 1)
        }
    }

    /// The problem for an error of a flow. Clients do not see the flow's code: no locations, values or calls.
    private init(_ error: FlowError) {
        let report = ([error.description] + error.notes).joined(separator: "; ")
        var error = error
        if error.code == .snapshot {
            error.help =
                "nothing of it is lost: serve the files that it was played with, or raise the flow's version and migrate"
        }
        // A client cannot raise these limits.
        if [.timeLimit, .instructionLimit, .memoryLimit].contains(error.code) { error.help = nil }
        let status: Status =
            switch error.code {
            case .notGranted: .forbidden
            case .badRequest: .badRequest
            case .processEnded, .noProcess, .connection, .host: .serviceUnavailable
            default: .conflict
            }
        self.init(
            status, error.code.rawValue,
            error.title,
            detail: ([error.message] + (error.help.map { [$0] } ?? [])).joined(separator: "; "),
            retryAfter: status == .serviceUnavailable ? 1 : nil)
        members["error"] = .record(error.shortDocument)
        self.report = report
        isFault = [.snapshot, .file, .syntax, .definition, .module].contains(error.code)
    }

    private init(_ error: StoreError) {
        let (status, title): (Status, String) =
            switch error.code {
            case .notFound: (.notFound, "There is no such session")
            case .badPage: (.notFound, "There is no such page")
            case .noSuchStep: (.conflict, "There is no such step")
            case .otherStep: (.preconditionFailed, "The session has gone on")
            case .exists: (.conflict, "There is such a session already")
            case .conflict: (.conflict, "The session is changed elsewhere")
            case .givenUp: (.conflict, "The step was given up since")
            case .keyReused: (.unprocessableContent, "The key was used for another request")
            case .badID, .badKey: (.badRequest, "The request cannot be read")
            case .notStorable: (.conflict, "This cannot be kept")
            case .busy, .closed: (.serviceUnavailable, "The service is busy")
            case .stuck: (.serviceUnavailable, "A call into the flow does not end")
            case .unknown: (.serviceUnavailable, "It is not known whether this was kept")
            case .full, .io: (.serviceUnavailable, "Nothing can be kept now")
            case .corrupted, .foreign, .newer: (.internalServerError, "The store cannot be used")
            }
        self.init(
            status, error.code.rawValue, title,
            detail: error.isFault
                ? "What was acknowledged is kept. The service has to be looked after; its log says why."
                : error.shortDescription,
            retryAfter: status == .serviceUnavailable ? (error.code == .stuck ? 60 : 1) : nil)
        if error.isFault || error.code == .unknown { (report, isFault) = (error.description, true) }
    }
}

extension StoreError {
    /// True for faults of the computer, which clients can neither fix nor need to know.
    fileprivate var isFault: Bool {
        [.full, .io, .corrupted, .foreign, .newer].contains(code)
    }

    /// The text for clients. The notes of an unknown outcome may describe faults.
    fileprivate var shortDescription: String {
        var error = self
        if code == .unknown { error.notes = [] }
        return error.description
    }
}

extension FlowError {
    /// The title for clients.
    fileprivate var title: String {
        switch code {
        case .snapshot: "The session does not fit the present files of its flow"
        case .processEnded: "The flow's process has ended"
        case .noProcess: "The service is busy"
        default: phase == .render ? "The flow cannot show this" : "The flow does not take this"
        }
    }

    /// The error for clients.
    var shortDocument: Value.Record {
        var record: Value.Record = ["code": .string(code.rawValue), "message": .string(message)]
        record["help"] = help.map { .string($0) }
        return record
    }
}
