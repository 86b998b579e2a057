public import PlainValue

/// A session that begins.
public struct NewSession: Sendable, Hashable {
    /// What it is called: text of 1 to 200 bytes without control characters.
    public var id: String
    /// What its creation is told from others by, when it is not known whether it was kept.
    public var change: UInt64
    /// The name of its flow.
    public var flow: String
    /// Its snapshot at the beginning; see `FlowSnapshot.document`.
    public var document: Value
    /// The files of its flow.
    public var code: FlowCode?
    /// The request that asks for it.
    public var receipt: Receipt?
    /// When it wants to be in memory again if it is not; see ``SessionChange/wakeAt``.
    public var wakeAt: Int?
    /// The time, in milliseconds since 1970.
    public var milliseconds: Int

    /// A session from its parts.
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

    /// Makes sure that an id is one.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_id`.
    public static func validate(id: String) throws(StoreError) {
        guard id.isName else {
            throw StoreError(
                .badID, "'\(id.prefix(40))' cannot be the id of a session",
                help: "use 1 to 200 bytes of text without control characters")
        }
    }

    /// Makes sure that the id is one.
    ///
    /// - Throws: A ``StoreError`` with the code `bad_id`.
    public func validate() throws(StoreError) { try Self.validate(id: id) }
}
