import PlainValue
import WorkflowLua

/// The failures at which a debugger stops, as a client chooses them.
struct StoppingFailures {
    /// One that a client can choose.
    enum Filter: String, CaseIterable {
        case failed, caught, limit

        var label: String {
            switch self {
            case .failed: "Failures"
            case .caught: "Caught errors"
            case .limit: "Limits"
            }
        }

        var summary: String {
            switch self {
            case .failed: "Stops where an action or a rendering fails."
            case .caught: "Stops where an error is raised that the flow catches, with pcall say."
            case .limit: "Stops where a call runs into a limit of time, instructions or memory."
            }
        }
    }

    var filters: Set<Filter> = []

    /// Whether errors that the flow catches stop.
    var areCaught: Bool { filters.contains(.caught) }
    /// Whether some that the flow does not catch stop.
    var areUncaught: Bool { !filters.isDisjoint(with: [.failed, .limit]) }

    /// Whether a failure that the flow has not caught stops.
    func stop(at failure: FlowError?) -> Bool {
        guard let failure else { return false }
        return filters.contains(.failed) || filters.contains(.limit) && failure.code.isLimit
    }

    /// The filters as clients are told of them.
    static var document: Value {
        .list(
            Value.List(
                Filter.allCases.map { filter in
                    [
                        "filter": .string(filter.rawValue), "label": .string(filter.label),
                        "description": .string(filter.summary), "default": .bool(filter == .failed),
                    ]
                }))
    }
}

extension FlowError.Code {
    /// Whether a call ran into one of its limits.
    var isLimit: Bool {
        [.timeLimit, .instructionLimit, .memoryLimit, .logLimit].contains(self)
    }
}
