/// Counts the open streams of clients, each of which has a share of them.
///
/// A client has at most half of the streams. The last eighth is for owners, who have no limit.
package struct StreamShares {
    /// Somebody who opens streams.
    package struct Client: Sendable, Hashable {
        /// Identifies the client, such as its token.
        package let name: String
        package let isOwner: Bool

        package init(name: String, isOwner: Bool) {
            self.name = name
            self.isOwner = isOwner
        }

        /// The server itself.
        package static let server = Client(name: "", isOwner: true)
    }

    private let most: Int
    private var counts: [Client: Int] = [:]
    /// The number of open streams.
    package private(set) var count = 0

    package init(most: Int) { self.most = most }

    /// Adds a stream of a client; throws a ``Problem`` if there are too many.
    package mutating func add(_ client: Client) throws(Problem) {
        let own = counts[client] ?? 0
        if !client.isOwner {
            let share = (most + 1) / 2
            guard own < share else { throw .tooManyOwn(share) }
        }
        let all = client.isOwner ? most : most - most / 8
        guard count < all else { throw .tooManyStreams(all) }
        counts[client] = own + 1
        count += 1
    }

    package mutating func remove(_ client: Client) {
        assert(count > 0 && counts[client, default: 0] > 0, "a stream ends twice")
        let left = (counts[client] ?? 1) - 1
        counts[client] = left == 0 ? nil : left
        count -= 1
    }
}

extension Problem {
    fileprivate static func tooManyOwn(_ share: Int) -> Problem {
        Problem(
            .tooManyRequests, "too_many_streams", "Too many streams of one token",
            detail: "One token may have \(share) at a time. Close a page that shows a session.",
            retryAfter: 2)
    }

    fileprivate static func tooManyStreams(_ most: Int) -> Problem {
        Problem(
            .serviceUnavailable, "busy", "Too many streams",
            detail: "At most \(most) are open at a time. Close a page that shows a session.",
            retryAfter: 2)
    }
}
