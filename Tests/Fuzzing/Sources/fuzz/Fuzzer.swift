import CFuzzing
import Foundation

// The fuzzed target. Written once, before the first input.
nonisolated(unsafe) private var target: any FuzzTarget.Type = JSONTarget.self

/// `fuzz TARGET [options of libFuzzer] [folders]`, or `fuzz TARGET --seeds FOLDER` to write seeds.
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

    #if FUZZER
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
    #else
        /// Plays each file once, those of folders too; the options of libFuzzer have no effect.
        private static func fuzz(_ arguments: [String]) -> CInt {
            var files: [String] = []
            for path in arguments.dropFirst() where !path.hasPrefix("-") {
                let names = try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
                files += names.map { $0.map { "\(path)/\($0)" } } ?? [path]
            }
            for file in files {
                guard let input = FileManager.default.contents(atPath: file) else {
                    print("\(file) cannot be read")
                    return 66
                }
                // The last name is the input that failed.
                FileHandle.standardError.write(Data("Test unit written to \(file)\n".utf8))
                input.withUnsafeBytes { target.run($0) }
            }
            print("stat::number_of_executed_units: \(files.count)")
            return 0
        }
    #endif
}
