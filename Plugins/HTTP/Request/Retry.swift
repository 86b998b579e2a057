import WorkerKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How often a request is sent, and how long is waited before it is sent again.
struct Retry: Codable, Sendable {
    /// How often it is sent at most.
    var attempts: Int?
    /// The longest wait before the second attempt, in seconds; before each further one it is twice as long.
    var first: Double?
    /// The longest wait of all.
    var most: Double?
}

/// A ``Retry``, checked.
struct RetryPolicy: Sendable {
    let attempts: Int
    private let first: Double
    private let most: Double

    /// - Throws: A ``WorkerError`` with the code `bad_input` for what is out of range.
    init(_ retry: Retry?) throws(WorkerError) {
        attempts = retry.map { $0.attempts ?? 5 } ?? 1
        first = retry?.first ?? 0.2
        most = retry?.most ?? 30
        guard (1...100).contains(attempts) else {
            throw WorkerError(
                "bad_input", "retry.attempts is \(attempts)", help: "it can be from 1 to 100")
        }
        for (name, seconds) in [("first", first), ("most", most)] {
            guard (0.001...86400).contains(seconds) else {
                throw WorkerError(
                    "bad_input", "retry.\(name) is \(seconds)",
                    help: "it can be from 0.001 to 86400 seconds")
            }
        }
    }

    /// How long to wait after an attempt, at random, so that those who failed together do not come again together.
    func wait(after attempt: Int) -> Double {
        var longest = min(first, most)
        for _ in 1..<max(attempt, 1) where longest < most { longest = min(longest * 2, most) }
        return longest * .random(in: 0.5...1)
    }

    /// How long a server wants to be left in peace, but no longer than the longest wait; `nil` if it does not say.
    func wait(asked text: String) -> Double? {
        if let seconds = Int(text) { return min(max(Double(seconds), 0), most) }
        guard let moment = Self.seconds(date: text) else { return nil }
        return min(max(moment - Date().timeIntervalSince1970, 0), most)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` if it is none.
    private static func seconds(date text: String) -> Double? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31) ~= day,
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (1970...9999) ~= year
        else { return nil }
        let time = parts[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, time.allSatisfy({ (0...60) ~= $0 }) else { return nil }
        // Years that begin in March have the leap day at their end.
        let monthOfYear = (month + 10) % 12
        let fromMarch = year - (month < 2 ? 1 : 0)
        let days =
            fromMarch * 365 + fromMarch / 4 - fromMarch / 100 + fromMarch / 400
            + (monthOfYear * 306 + 5) / 10 + day - 1 - 719_468
        return Double(((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2])
    }
}

extension Response {
    /// Whether another attempt may be answered otherwise.
    var isPassing: Bool { [429, 502, 503, 504].contains(status) }
}

extension WorkerError {
    /// Whether there was no connection, or it broke.
    var isPassing: Bool { ["unreachable", "disconnected"].contains(code) }
}
