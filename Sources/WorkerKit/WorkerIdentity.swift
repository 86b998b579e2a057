/// Which run of which worker it is: the same after its session was opened again, in this process or another.
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
    /// When it was started first, in milliseconds since 1970.
    public var started: Int
    /// How often it has been started, from 1: it is started again when its session is opened again while it was at work.
    public var attempt: Int

    /// An identity from its parts.
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

    /// The longest text.
    private static let longest = 200

    /// What tells the run apart from every other one, and is the same for each attempt: something to be sent along, so
    /// that what is done outside is done once.
    ///
    /// Session, step, start, node, name and key, with slashes between them. It consists of letters and digits of ASCII
    /// and of `-._~/%`, and has at most 200 characters; of a longer one the end is a sum.
    public var text: String {
        let parts = [
            session.percentEncoded(), "\(step)", "\(started)",
            node.percentEncoded(keeping: "/"), name.percentEncoded(), key.percentEncoded(),
        ]
        let text = parts.joined(separator: "/")
        guard text.utf8.count > Self.longest else { return text }
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return text.prefix(Self.longest - 17) + "~" + String(sum, radix: 16).leftPadded(to: 16)
    }
}

extension String {
    fileprivate func percentEncoded(keeping marks: String = "") -> String {
        let known = Set("-._~".utf8).union(marks.utf8)
        var text = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            case let byte where known.contains(byte):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2)
            }
        }
        return text
    }

    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(count - utf8.count, 0)) + self
    }
}
