extension Value: Hashable {
    /// True if two values have the same encoding.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.list(let left), .list(let right)): left == right
        case (.record(let left), .record(let right)): left == right
        default: false
        }
    }

    /// Feeds the value to a hasher; equal values feed the same, however they are stored.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let bool): hasher.combine(bool)
        case .int(let int): hasher.combine(int)
        case .double(let double): hasher.combine(double.bitPattern)
        case .string(let string): string.hashBytes(into: &hasher)
        case .list(let list): list.hash(into: &hasher)
        case .record(let record): record.hash(into: &hasher)
        }
    }
}
