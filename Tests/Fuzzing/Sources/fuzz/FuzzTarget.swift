import CFuzzing
import PlainValue

/// Code that gets arbitrary bytes and must not crash, hang or contradict itself.
protocol FuzzTarget {
    /// Runs once with the bytes; a contradiction ends in ``contradiction(_:)``.
    static func run(_ bytes: UnsafeRawBufferPointer)

    /// Initial inputs that are not in files.
    static var seeds: [[UInt8]] { get }
}

extension FuzzTarget { static var seeds: [[UInt8]] { [] } }

var fuzzTargets: [String: any FuzzTarget.Type] {
    [
        "encoding": EncodingTarget.self,
        "json": JSONTarget.self,
        "conversion": ConversionTarget.self,
        "source": SourceTarget.self,
        "flow": FlowTarget.self,
        "script": ScriptTarget.self,
        "library": LibraryTarget.self,
        "peer": PeerTarget.self,
        "calls": CallsTarget.self,
        "recording": RecordingTarget.self,
        "protocol": ProtocolTarget.self,
        "debugger": DebuggerTarget.self,
    ]
}

/// Ends the process like a crash, so that the fuzzer keeps the input.
func contradiction(_ text: String) -> Never { fatalError("contradiction: \(text)") }

/// Sends signals at allocations if Scripts/fuzz was asked to; the same for each run of an input.
/// Of 256 signals `stops` stop the running call.
func sendSignals(for bytes: UnsafeRawBufferPointer, stops: UInt32 = 0) {
    #if SIGNALS
        lb_signals(StableHash(bytes).value, 40, stops)
    #endif
}
