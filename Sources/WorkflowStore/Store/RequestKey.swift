/// What a sender calls its request, so that it can be sent again if no answer came.
public struct RequestKey: Sendable, Hashable {
    /// The key: text of 1 to 200 bytes without control characters, unique in its session.
    public var key: String
    /// A number that hangs on the request's content.
    public var digest: UInt64

    /// A key from its parts.
    public init(_ key: String, digest: UInt64) {
        self.key = key
        self.digest = digest
    }

    /// Makes sure that the key is one.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_key`.
    public func validate() throws(StoreError) {
        guard key.isName else {
            throw StoreError(
                .badKey, "'\(key.prefix(40))' cannot be the key of a request",
                help: "use 1 to 200 bytes of text without control characters")
        }
    }
}

extension SessionStore {
    /// Makes sure that a session that there is was begun for a request.
    ///
    /// - Throws: A ``StoreError`` with the code `exists`, `key_reused` or `given_up`.
    func validate(_ key: RequestKey?, hasBegun id: String) async throws(StoreError) {
        guard let key else { throw .exists(id) }
        let receipt = try await receipts([key.key], of: id).first
        guard let receipt else { throw .exists(id) }
        try receipt.validate(for: key)
    }
}

extension String {
    /// Whether the text is of the form that ids and keys have.
    var isName: Bool {
        (1...200).contains(utf8.count) && utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }
}
