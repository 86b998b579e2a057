public import PlainValue

/// A session that begins.
public struct NewSession: Sendable, Hashable {
    /// What it is called: text of 1 to 200 bytes without control characters.
    public var id: String
    /// The name of its flow.
    public var flow: String
    /// Its snapshot at the beginning; see `FlowSnapshot.document`.
    public var document: Value
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// A session from its parts.
    public init(id: String, flow: String, document: Value, milliseconds: Int) {
        self.id = id
        self.flow = flow
        self.document = document
        self.milliseconds = milliseconds
    }

    /// Makes sure that the id is one.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_id`.
    public func validate() throws(StoreError) {
        guard (1...200).contains(id.utf8.count), id.utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
        else {
            throw StoreError(
                .badID, "'\(id.prefix(40))' cannot be the id of a session",
                help: "use 1 to 200 bytes of text without control characters")
        }
    }
}
