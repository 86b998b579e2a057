import PlainValue

/// A sender's key for a request, with which the request can be repeated if no answer came.
///
/// - Important: A store may forget a key after 24 hours. A request that is repeated then is done
///   again.
public struct RequestKey: Sendable, Hashable {
    /// The key: 1 to 200 bytes of text without control characters, unique in its session.
    public var key: String
    /// A digest of the request's content; `nil` if the call makes one. Stores keep `nil` as 0.
    public var digest: UInt64?

    /// Makes a key.
    ///
    /// ```swift
    /// let key = RequestKey("pay-17")
    /// try await session.send(["type": "pay"], key: key)
    /// try await session.send(["type": "pay"], key: key)  // the same answer; paid once
    /// try await session.send(["type": "refund"], key: key)  // throws key_reused
    /// ```
    ///
    /// - Parameters:
    ///   - key: 1 to 200 bytes of text without control characters, unique in its session.
    ///   - digest: A digest of the request's content, the same in each process. By default the
    ///     call makes one of its arguments. A function that is passed is not part of it.
    public init(_ key: String, digest: UInt64? = nil) {
        self.key = key
        self.digest = digest
    }

    /// Checks the key.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_key`.
    public func validate() throws(StoreError) {
        guard key.isName else { throw .badKey(key.prefix(40)) }
    }

    /// The key with a digest of what is called and its arguments, unless it has one.
    func of(_ verb: String, _ arguments: Value...) -> RequestKey {
        let content = Value.list(Value.List([.string(verb)] + arguments))
        return RequestKey(key, digest: digest ?? StableHash(content.json.utf8).value)
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
