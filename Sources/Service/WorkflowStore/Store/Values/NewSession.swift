public import PlainValue

/// A new session.
public struct NewSession: Sendable, Hashable {
    /// The id: 1 to 200 bytes of text without control characters.
    public var id: String
    /// A random number that identifies its creation if the outcome is unknown.
    public var change: UInt64
    /// The name of its flow.
    public var flow: String
    /// Its first snapshot; see `FlowSnapshot.document`.
    public var document: Value
    /// The files of its flow.
    public var code: FlowCode?
    /// The receipt of the request that creates it.
    public var receipt: Receipt?
    /// The time of its wake-up; see ``SessionChange/wakeAt``.
    public var wakeAt: Int?
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// Makes a new session for a store to create.
    ///
    /// - Parameters:
    ///   - id: 1 to 200 bytes of text without control characters.
    ///   - change: A random number that identifies the creation if the outcome is unknown.
    ///   - flow: The name of its flow.
    ///   - document: Its first snapshot; see `FlowSnapshot.document`.
    ///   - code: The files of its flow; `nil` if they are not stored.
    ///   - receipt: The receipt of the request that creates it.
    ///   - wakeAt: Milliseconds since 1970; see ``SessionChange/wakeAt``.
    ///   - milliseconds: The present time, in milliseconds since 1970.
    public init(
        id: String, change: UInt64 = .random(in: 0...UInt64.max), flow: String, document: Value,
        code: FlowCode? = nil, receipt: Receipt? = nil, wakeAt: Int? = nil, milliseconds: Int
    ) {
        self.id = id
        self.change = change
        self.flow = flow
        self.document = document
        self.code = code
        self.receipt = receipt
        self.wakeAt = wakeAt
        self.milliseconds = milliseconds
    }

    /// Checks an id.
    ///
    /// ```swift
    /// try NewSession.validate(id: "line\n")  // throws bad_id
    /// ```
    ///
    /// - Throws: A ``StoreError`` with the code `bad_id`.
    public static func validate(id: String) throws(StoreError) {
        guard id.isName else { throw .badID(id.prefix(40)) }
    }

    /// Checks the session's id.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_id`.
    public func validate() throws(StoreError) { try Self.validate(id: id) }
}
