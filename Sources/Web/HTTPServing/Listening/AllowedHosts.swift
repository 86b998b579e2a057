package import HTTPTypes

/// The allowed host names and origins of requests.
///
/// A page of another site can make a browser send requests here, and can resolve its own name to
/// this computer. The browser sends the name and the site of a request.
package struct AllowedHosts: Sendable {
    private let more: Set<String>
    private let setting: String

    /// - Parameter setting: The name of the setting with more hosts, for who reads a refusal.
    package init(_ more: [String], by setting: String) {
        self.more = Set(more.map { $0.lowercased() })
        self.setting = setting
    }

    /// Refuses a request for another host.
    package func check(_ request: HTTPRequest) throws(Problem) {
        guard let host = request.authority, !host.isEmpty, allows(host) else {
            throw Problem(
                .forbidden, "foreign_host", "Foreign host",
                detail: "Open it at 127.0.0.1, or allow the name with \(setting).")
        }
    }

    /// Refuses a request from a page of another site.
    package static func checkSite(_ request: HTTPRequest) throws(Problem) {
        let site = request.headerFields.value(of: "Sec-Fetch-Site")
        guard site == nil || site == "same-origin" || site == "none" else { throw .foreignOrigin }
        guard let origin = request.headerFields.value(of: "Origin") else { return }
        guard let host = request.authority?.lowercased(),
            ["http://\(host)", "https://\(host)"].contains(origin.lowercased())
        else { throw .foreignOrigin }
    }

    private func allows(_ host: String) -> Bool {
        let name = Self.name(of: host.lowercased())
        return ["127.0.0.1", "[::1]", "localhost"].contains(name) || name.hasSuffix(".localhost")
            || more.contains(name)
    }

    private static func name(of host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]"),
            host[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return host }
        return String(host[..<colon])
    }
}

extension Problem {
    fileprivate static let foreignOrigin = Problem(
        .forbidden, "foreign_origin", "Foreign origin", detail: "Only the page itself may do this.")
}
