import HTTPServing
import PlainValue
import WorkflowLua
import WorkflowStore

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
                .serviceUnavailable, "cancelled", "Request cancelled",
                detail: "Ask again, under the same key if it has one.", retryAfter: 1)
        }
    }

    /// The problem for an error of a flow, without its code: no locations, values or calls.
    private init(_ error: FlowError) {
        let report = ([error.description] + error.notes).joined(separator: "; ")
        var error = error
        if error.code == .snapshot {
            error.help =
                "nothing of it is lost: serve the files that it was played with, "
                + "or raise the flow's version and migrate"
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
            status, error.clientCode,
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
            case .notFound: (.notFound, "No such session")
            case .badPage: (.notFound, "No such page")
            case .noSuchStep: (.conflict, "No such step")
            case .otherStep: (.preconditionFailed, "Session changed")
            case .exists: (.conflict, "Session already exists")
            case .conflict: (.conflict, "Conflicting change")
            case .givenUp: (.conflict, "Step discarded")
            case .keyReused: (.unprocessableContent, "Key already used")
            case .badID, .badKey: (.badRequest, "Unreadable request")
            case .notStorable: (.conflict, "Value not storable")
            case .busy, .closed: (.serviceUnavailable, "Service busy")
            case .stuck: (.serviceUnavailable, "Stuck call")
            case .unknown: (.serviceUnavailable, "Unknown outcome")
            case .full, .io: (.serviceUnavailable, "Store not writable")
            case .corrupted, .foreign, .newer: (.internalServerError, "Store not usable")
            }
        self.init(
            status, error.code.rawValue, title,
            detail: error.isFault
                ? "What was acknowledged is kept. The service has to be looked after; "
                    + "its log says why."
                : error.shortDescription,
            retryAfter: status == .serviceUnavailable ? (error.code == .stuck ? 60 : 1) : nil)
        if error.isFault || error.code == .unknown { (report, isFault) = (error.description, true) }
    }
}

extension StoreError {
    /// True if this is a fault of the computer, which clients can neither fix nor need to know.
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
    /// The code for clients: an action that the flow refused is told from a mistake in the flow.
    fileprivate var clientCode: String { isRefusalOfFlow ? "refused" : code.rawValue }

    fileprivate var title: String {
        switch code {
        case .snapshot: "Session of other flow files"
        case .processEnded: "Flow process ended"
        case .noProcess: "Service busy"
        case .badRequest: "Unreadable request"
        case .notGranted: "Worker not granted"
        case .lua where !isRefusalOfFlow: phase == .render ? "Render failed" : "Flow failed"
        case .timeLimit, .instructionLimit, .memoryLimit, .depth: "Limit reached"
        default: phase == .render ? "Render failed" : "Input refused"
        }
    }

    var shortDocument: Value.Record {
        var record: Value.Record = ["code": .string(clientCode), "message": .string(message)]
        record["help"] = help.map { .string($0) }
        return record
    }
}
