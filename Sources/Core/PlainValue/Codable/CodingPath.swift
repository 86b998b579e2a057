/// The place that an encoder or decoder has reached, spelled out only on demand.
indirect enum CodingPath {
    case outermost
    case inside(CodingPath, any CodingKey)

    var keys: [any CodingKey] {
        switch self {
        case .outermost: []
        case .inside(let outer, let key): outer.keys + [key]
        }
    }

    /// The place in a message: ` at rows[3].title`; empty for the outermost value.
    var phrase: String {
        let path = ValuePath(
            keys.map { key in
                if let position = key as? PositionKey { return .index(position.position + 1) }
                return .key(key.stringValue)
            })
        return path.isEmpty ? "" : " at \(path)"
    }

    func encodingContext(_ fault: String) -> EncodingError.Context {
        EncodingError.Context(codingPath: keys, debugDescription: fault + phrase)
    }

    func decodingContext(_ message: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: keys, debugDescription: message)
    }
}

/// The position of an element of a list, counted from 0.
struct PositionKey: CodingKey {
    let position: Int

    init(_ position: Int) {
        self.position = position
    }

    init?(intValue: Int) {
        position = intValue
    }

    init?(stringValue: String) {
        nil
    }

    var intValue: Int? { position }
    var stringValue: String { "\(position)" }
}

struct NameKey: CodingKey {
    let stringValue: String

    static let `super` = NameKey("super")

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }

    var intValue: Int? { nil }
}
