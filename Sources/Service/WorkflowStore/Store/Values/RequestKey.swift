/// A sender's key for a request, with which the request can be repeated if no answer came.
///
/// - Important: A store may forget a key after 24 hours. A request that is repeated then is done
///   again.
public struct RequestKey: Sendable, Hashable {
    /// The key: 1 to 200 bytes of text without control characters, unique in its session.
    public var key: String
    /// A digest of the request's content.
    public var digest: UInt64

    /// Creates a key.
    ///
    /// ```swift
    /// let key = RequestKey("pay-17", digest: 0x9a3f)  // some hash of the action, always the same
    /// try await session.send(["type": "pay"], key: key)
    /// try await session.send(["type": "pay"], key: key)  // the same answer; paid once
    /// ```
    public init(_ key: String, digest: UInt64) {
        self.key = key
        self.digest = digest
    }

    /// Checks the key.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_key`.
    public func validate() throws(StoreError) {
        guard key.isName else { throw .badKey(key.prefix(40)) }
    }
}

extension SessionStore {
    /// Checks that an id is valid. SQLite would cut one at a NUL byte.
    package static func requireName(_ id: String) throws(StoreError) {
        guard id.isName else { throw .notFound(id) }
    }

    /// Checks that this request created an existing session; throws a ``StoreError`` otherwise.
    func validate(_ key: RequestKey?, hasBegun id: String) async throws(StoreError) {
        guard let key else { throw .exists(id) }
        let receipt = try await receipts([key.key], of: id).first
        guard let receipt else { throw .exists(id) }
        try receipt.validate(for: key)
    }
}

extension String {
    /// True if the text is valid as an id or key.
    package var isName: Bool {
        (1...200).contains(utf8.count) && utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }
}
