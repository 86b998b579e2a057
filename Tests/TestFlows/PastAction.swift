import Foundation
package import TestSupport

/// Something that a random session does.
package enum PastAction: Hashable, CustomStringConvertible {
    case add, push(Int), drop, roll, see(Int), tick(Int), fail, title(Int)
    case undo, redo, branch
    /// A move to a part of the timeline, in percent.
    case go(Int)
    /// New files, with the state kept, migrated, or made by all inputs again.
    case keep(by: Int), migrate, replay(by: Int)

    package static func random(using random: inout SeededNumbers) -> PastAction {
        let number = Int.random(in: 1...9, using: &random)
        switch Int.random(in: 0..<26, using: &random) {
        case 0..<6: return .add
        case 6, 7: return .push(number)
        case 8: return .drop
        case 9: return .roll
        case 10: return .see(number)
        case 11, 12: return .tick(number)
        case 13, 14: return .fail
        case 15: return .title(number)
        case 16, 17: return .undo
        case 18: return .redo
        case 19: return .branch
        case 20, 21: return .go(Int.random(in: 0...100, using: &random))
        case 22, 23: return .keep(by: number)
        case 24: return .migrate
        default: return .replay(by: number)
        }
    }

    /// True if the action gives up the steps after the one that is shown.
    package var goesOn: Bool {
        switch self {
        case .undo, .redo, .go, .keep, .migrate, .replay: false
        default: true
        }
    }

    package var description: String {
        switch self {
        case .add: "add"
        case .push(let id): "push \(id)"
        case .drop: "drop"
        case .roll: "roll"
        case .see(let id): "see \(id)"
        case .tick(let number): "tick \(number)"
        case .fail: "fail"
        case .title(let number): "title \(number)"
        case .undo: "undo"
        case .redo: "redo"
        case .branch: "branch"
        case .go(let part): "go to \(part) %"
        case .keep(let by): "keep with \(by)"
        case .migrate: "migrate"
        case .replay(let by): "replay with \(by)"
        }
    }
}

extension PastAction {
    /// Does random things, until something does not agree.
    ///
    /// - Parameters:
    ///   - count: The number of sessions, which `PAST_SESSIONS` changes in proportion, from 250.
    ///   - problem: Plays a session, and says what does not agree; `nil` if all does.
    /// - Returns: The first disagreement, after the actions that it needs; `nil` if there is none.
    package static func firstProblem(
        in count: Int, using random: inout SeededNumbers,
        _ problem: ([PastAction]) async throws -> String?
    ) async throws -> String? {
        let given = ProcessInfo.processInfo.environment["PAST_SESSIONS"].flatMap { Int($0) }
        for _ in 0..<(given.map { max(count * $0 / 250, 1) } ?? count) {
            let length = Int.random(in: 3...16, using: &random)
            var actions = (0..<length).map { _ in PastAction.random(using: &random) }
            guard var found = try await problem(actions) else { continue }
            var index = 0
            while index < actions.count {
                var fewer = actions
                fewer.remove(at: index)
                if let other = try await problem(fewer) {
                    (actions, found) = (fewer, other)
                } else {
                    index += 1
                }
            }
            return "after \(actions.map(\.description).joined(separator: ", ")): \(found)"
        }
        return nil
    }
}
