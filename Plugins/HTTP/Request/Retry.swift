import WorkerKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of attempts to send a request, and the delays between them.
struct Retry: Codable, Sendable {
    var attempts: Int?
    /// The longest delay before the second attempt, in seconds. It doubles before each further one.
    var first: Double?
    /// The limit of all delays.
    var most: Double?
}

/// A validated ``Retry``.
struct RetryPolicy: Sendable {
    let attempts: Int
    private let first: Double
    private let most: Double

    /// - Throws: A ``WorkerError`` with the code `bad_input` for a value out of range.
    init(_ retry: Retry?) throws(WorkerError) {
        attempts = retry.map { $0.attempts ?? 5 } ?? 1
        first = retry?.first ?? 0.2
        most = retry?.most ?? 30
        try (1...100).check("retry.attempts", attempts)
        try Limits.seconds.check("retry.first", first, unit: " seconds")
        try Limits.seconds.check("retry.most", most, unit: " seconds")
    }

    /// A random delay after an attempt, so that clients that failed together do not retry together.
    func wait(after attempt: Int) -> Double {
        var longest = min(first, most)
        for _ in 1..<max(attempt, 1) where longest < most { longest = min(longest * 2, most) }
        return longest * .random(in: 0.5...1)
    }

    /// The delay that the server asks for, up to the limit; `nil` if it asks for none.
    func wait(asked text: String) -> Double? {
        if let seconds = Int(text) { return min(max(Double(seconds), 0), most) }
        guard let moment = Self.seconds(date: text) else { return nil }
        return min(max(moment - Date().timeIntervalSince1970, 0), most)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Converts a date such as `Sun, 06 Nov 1994 08:49:37 GMT` to seconds since 1970.
    private static func seconds(date text: String) -> Double? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31) ~= day,
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (1970...9999) ~= year
        else { return nil }
        let time = parts[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, time.allSatisfy({ (0...60) ~= $0 }) else { return nil }
        // Years that start in March have the leap day at the end.
        let monthOfYear = (month + 10) % 12
        let fromMarch = year - (month < 2 ? 1 : 0)
        let days =
            fromMarch * 365 + fromMarch / 4 - fromMarch / 100 + fromMarch / 400
            + (monthOfYear * 306 + 5) / 10 + day - 1 - 719_468
        return Double(((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2])
    }
}

extension Response {
    /// True if another attempt may get another response.
    var isPassing: Bool { [429, 502, 503, 504].contains(status) }
}

extension WorkerError {
    var isPassing: Bool { ["unreachable", "disconnected"].contains(code) }
}
