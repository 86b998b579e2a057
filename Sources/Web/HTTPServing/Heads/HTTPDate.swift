import LibC
import Synchronization

/// The time as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text of the present second, which all answers of the second share.
    private static let latest = Mutex((second: 0, text: text(of: 0)))

    static var now: String {
        let second = time(nil)
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(of: second)) }
            return latest.text
        }
    }

    /// - Parameter second: The seconds since 1970.
    static func text(of second: Int) -> String {
        var (second, parts) = (time_t(second), tm())
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return days[Int(parts.tm_wday)] + ", " + two(parts.tm_mday) + " "
            + months[Int(parts.tm_mon)] + " \(parts.tm_year + 1900) " + two(parts.tm_hour) + ":"
            + two(parts.tm_min) + ":" + two(parts.tm_sec) + " GMT"
    }
}
