/// Generated programs: the bytes choose what is written, so that nearly every input compiles, with
/// odd arguments to the sandbox's functions, also in coroutines, metamethods and handlers.
enum ScriptTarget: FuzzTarget {
    static let seeds: [[UInt8]] = (0..<64).map { seed in
        (0..<300).map { UInt8(truncatingIfNeeded: ($0 &* 37 &+ seed &* 11) &* ($0 &+ seed)) }
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var writer = ScriptWriter(ByteSource(bytes.dropFirst()))
        let isFlow = bytes.first.map { $0 & 1 == 1 } ?? false
        if isFlow {
            FlowTarget.play(writer.flow())
        } else {
            var text = writer.block(depth: 0)
            text.withUTF8 { SourceTarget.run(UnsafeRawBufferPointer($0)) }
        }
    }
}

extension ByteSource {
    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        self.init(UnsafeRawBufferPointer(rebasing: bytes))
    }
}
