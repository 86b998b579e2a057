import PlainValue

/// The identity of a run of a worker. It is the same after the session is reopened anywhere.
public struct WorkerIdentity: Sendable, Hashable {
    /// The name of the session.
    public var session: String
    /// The step of the session at which the worker was declared.
    public var step: Int
    /// The path of the node that declared it, such as `todo/item:2`.
    public var node: String
    /// The name of the worker.
    public var name: String
    /// The key under which it was declared; empty if there is none.
    public var key: String
    /// The time of the first start, in milliseconds since 1970.
    public var started: Int
    /// The number of the attempt, from 1. A run that its session's end interrupted starts again.
    public var attempt: Int

    /// Makes an identity from its parts.
    ///
    /// - Parameters:
    ///   - session: The name of the session.
    ///   - step: The step at which the worker was declared.
    ///   - node: The path of the node, such as `todo/item:2`.
    ///   - name: The name of the worker, such as `http.get`.
    ///   - key: The key under which it was declared; empty if there is none.
    ///   - started: The time of the first start, in milliseconds since 1970.
    ///   - attempt: The number of the attempt, from 1.
    public init(
        session: String, step: Int, node: String, name: String, key: String = "", started: Int,
        attempt: Int = 1
    ) {
        self.session = session
        self.step = step
        self.node = node
        self.name = name
        self.key = key
        self.started = started
        self.attempt = attempt
    }

    private static let longest = 200

    /// A text of this run only, the same for each attempt. Send it, so that effects happen once.
    ///
    /// It has session, step, start, node, name and key, separated by slashes: ASCII letters, digits
    /// and `-._~/%`, at most 200. A longer text ends in a checksum instead.
    public var text: String {
        let parts = [
            session.percentEncoded(), "\(step)", "\(started)",
            node.percentEncoded(keeping: "/"), name.percentEncoded(), key.percentEncoded(),
        ]
        let text = parts.joined(separator: "/")
        guard text.utf8.count > Self.longest else { return text }
        return text.prefix(Self.longest - 17) + "~" + StableHash(text.utf8).digits
    }
}

extension String {
    fileprivate func percentEncoded(keeping marks: String = "") -> String {
        let known = Set("-._~".utf8).union(marks.utf8)
        var text = ""
        for byte in utf8 {
            if byte.isAlphanumeric || known.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
