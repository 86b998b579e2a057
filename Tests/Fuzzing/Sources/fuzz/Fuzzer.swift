import CFuzzing
import Foundation

// The fuzzed target. Written once, before the first input.
nonisolated(unsafe) private var target: any FuzzTarget.Type = JSONTarget.self

/// `fuzz TARGET [options of libFuzzer] [folders of inputs]`, or `fuzz TARGET --seeds FOLDER`, which writes the target's
/// seeds into a folder.
@main enum Fuzzer {
    static func main() {
        var arguments = CommandLine.arguments
        guard arguments.count > 1, let chosen = fuzzTargets[arguments[1]] else {
            print("usage: fuzz \(fuzzTargets.keys.sorted().joined(separator: "|")) …")
            exit(64)
        }
        target = chosen
        if arguments.count == 4, arguments[2] == "--seeds" {
            write(chosen.seeds, to: URL(filePath: arguments[3]))
        } else {
            arguments.remove(at: 1)
            exit(fuzz(arguments))
        }
    }

    private static func write(_ seeds: [[UInt8]], to folder: URL) {
        do {
            for (number, seed) in seeds.enumerated() {
                try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
            }
        } catch {
            print("\(error)")
            exit(74)
        }
    }

    private static func fuzz(_ arguments: [String]) -> CInt {
        var count = CInt(arguments.count)
        // Never freed, like the arguments of a program.
        var pointers = arguments.map { strdup($0) } + [nil]
        return pointers.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { bytes, length in
                let input = UnsafeRawBufferPointer(start: bytes, count: length)
                sendSignals(for: input)
                target.run(input)
                return 0
            }
        }
    }
}
