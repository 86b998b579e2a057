/// The limits of one value, so that no script, file or peer can exhaust the host.
///
/// ```swift
/// let limits = ValueLimits(depth: 3, count: 100, byteCount: 4096)
/// let value = try Value(json: text, limits: limits)
/// ```
public struct ValueLimits: Sendable, Hashable {
    /// The maximum number of lists and records around a value, itself included; at most 160.
    public let depth: Int
    /// The maximum number of values in all: scalars, lists and records count, keys do not.
    public let count: Int
    /// The maximum number of bytes of the encoding; at most 2³¹ − 1.
    public let byteCount: Int

    /// Makes limits; a limit out of its range becomes the nearest one in range.
    ///
    /// ```swift
    /// print(ValueLimits(depth: 500).depth)  // 160
    /// ```
    ///
    /// - Parameters:
    ///   - depth: The lists and records around a value, itself included: 0 to 160.
    ///   - count: The values in all, keys not counted; at least 1.
    ///   - byteCount: The bytes of the encoding: 1 to 2³¹ − 1; 256 MiB by default.
    public init(
        depth: Int = 128, count: Int = 10_000_000, byteCount: Int = 256 * 1024 * 1024
    ) {
        self.depth = min(max(depth, 0), Format.maximumDepth)
        self.count = max(count, 1)
        self.byteCount = min(max(byteCount, 1), Format.maximumByteCount)
    }

    /// Depth 128, ten million values, 256 MiB.
    public static let standard = ValueLimits()

    /// The limits of ``standard`` with a depth of 160, for documents that hold such values.
    public static let document = ValueLimits(depth: 160)
}
