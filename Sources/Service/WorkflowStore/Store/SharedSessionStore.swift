/// A store that several processes use, each of which runs the workers of some sessions.
///
/// A process that beats is a *host*. Sessions with workers belong to a partition, and each
/// partition has one owner: the host that runs these workers and wakes these sessions.
///
/// The calls throw as those of a ``SessionStore``.
///
/// - Important: A host that ends or does not beat any more loses its partitions to the next one
///   that beats.
public protocol SharedSessionStore: SessionStore {
    /// Tells other hosts that this one is alive, and takes over the partitions of the dead.
    ///
    /// The first beat makes the process a host. Call it every ``StoreBeat/interval``.
    ///
    /// - Returns: The tasks of this host since its last beat.
    /// - Throws: A ``StoreError`` for the store itself.
    func beat() async throws(StoreError) -> StoreBeat

    /// The sessions that have another version than a known one, or are deleted.
    ///
    /// - Parameter versions: The known versions by id.
    /// - Throws: A ``StoreError`` for the store itself.
    func changed(since versions: [String: Int]) async throws(StoreError) -> [String]

    /// Leaves the partitions of this host to the others, at once. Its sessions should be closed.
    ///
    /// - Throws: A ``StoreError`` for the store itself.
    func leave() async throws(StoreError)

    /// Checks that the store is where it was when it was opened.
    ///
    /// - Throws: A ``StoreError`` if it was removed or replaced. It is useless from then on.
    func checkPlace() throws(StoreError)

    /// True if there was another host at the last beat.
    var hasOtherHosts: Bool { get }

    /// The error of the last attempt to store something; `nil` if it succeeded.
    var trouble: StoreError? { get }

    /// The settings on which it depends what an acknowledged change survives, by their names.
    var durability: [String: String] { get }

    /// Closes the store, which must not be used after that: later calls may fail. What was
    /// acknowledged is kept.
    ///
    /// - Throws: A ``StoreError`` if a file cannot be closed.
    func close() throws(StoreError)
}

/// The findings of a host's beat.
public struct StoreBeat: Sendable, Hashable {
    /// The time between two beats.
    public static let interval = Duration.milliseconds(250)
    /// The time after its last beat at which a host loses its partitions.
    public static let patience = Duration.milliseconds(1000)

    /// The wake-ups of the sessions that this host took over. After a call with an unknown outcome,
    /// which may have been a beat, they are those of all its sessions.
    public var taken: [WakeUp]
    /// The numbers of the sessions whose workers this host runs, and that another one changed.
    public var changed: [Int]
    /// True if this host had not beaten for so long that another one took its sessions over.
    public var wasLate: Bool

    /// Makes the findings of a beat.
    ///
    /// - Parameters:
    ///   - taken: The wake-ups of the sessions that this host took over.
    ///   - changed: The numbers of this host's sessions that another host changed.
    ///   - wasLate: True if another host took this host's sessions over.
    public init(taken: [WakeUp] = [], changed: [Int] = [], wasLate: Bool = false) {
        self.taken = taken
        self.changed = changed
        self.wasLate = wasLate
    }
}
