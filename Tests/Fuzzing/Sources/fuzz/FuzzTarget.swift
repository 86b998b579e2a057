/// Something that is given any bytes and must neither crash nor hang nor contradict itself.
protocol FuzzTarget {
    /// Runs once with the bytes; a contradiction ends in ``contradiction(_:)``.
    static func run(_ bytes: UnsafeRawBufferPointer)

    /// Inputs to begin with that no file holds.
    static var seeds: [[UInt8]] { get }
}

extension FuzzTarget {
    static var seeds: [[UInt8]] { [] }
}

/// The targets by name.
var fuzzTargets: [String: any FuzzTarget.Type] {
    [
        "encoding": EncodingTarget.self,
        "json": JSONTarget.self,
        "conversion": ConversionTarget.self,
        "source": SourceTarget.self,
        "flow": FlowTarget.self,
        "script": ScriptTarget.self,
        "library": LibraryTarget.self,
    ]
}

/// Ends the process, as a crash would, so that the fuzzer keeps the input.
func contradiction(_ text: String) -> Never {
    fatalError("contradiction: \(text)")
}
