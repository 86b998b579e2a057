import PlainValue
import WorkflowLua

/// The failures that stop, as the client has chosen.
struct StoppingFailures {
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

    var areCaught: Bool { filters.contains(.caught) }
    var areUncaught: Bool { !filters.isDisjoint(with: [.failed, .limit]) }

    /// True if an uncaught failure stops.
    func stop(at failure: FlowError?) -> Bool {
        guard let failure else { return false }
        return filters.contains(.failed) || filters.contains(.limit) && failure.code.isLimit
    }

    /// The filters in the protocol's format.
    static var document: Value {
        .list(
            of: Filter.allCases.map { filter in
                [
                    "filter": .string(filter.rawValue), "label": .string(filter.label),
                    "description": .string(filter.summary), "default": .bool(filter == .failed),
                ]
            })
    }
}

extension FlowError.Code {
    var isLimit: Bool {
        [.timeLimit, .instructionLimit, .memoryLimit, .logLimit].contains(self)
    }
}
