import CFuzzing

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

/// Lets signals arrive at the allocator, where Scripts/fuzz was asked to: the same ones each time that an input is run.
///
/// - Parameter stops: How many of 256 stop the call that is under way.
func sendSignals(for bytes: UnsafeRawBufferPointer, stops: UInt32 = 0) {
    #if SIGNALS
        let seed = bytes.reduce(14_695_981_039_346_656_037 as UInt64) { sum, byte in
            (sum ^ UInt64(byte)) &* 1_099_511_628_211
        }
        lb_signals(seed, 40, stops)
    #endif
}
