import FlowPrinting
import FlowTesting
import Terminal
import WorkflowKit
import WorkflowLua

struct TestedFile {
    let path: String
    var results: [FlowTestResult] = []
    /// The error if the file could not be loaded.
    var error: FlowError?
}

/// Reports the results of tests as they become known.
protocol TestReporter {
    mutating func begin(_ file: String)
    mutating func report(_ result: FlowTestResult, of file: String)
    mutating func report(_ error: FlowError, of file: String)
    mutating func finish(_ summary: TestSummary, _ files: [TestedFile])
}

/// The numbers of tests by outcome.
struct TestSummary {
    let passed, failed, pending: Int
    /// Files that could not be loaded.
    let broken: Int
    let duration: Duration

    init(_ files: [TestedFile], duration: Duration) {
        let outcomes = files.flatMap(\.results).map(\.outcome.name)
        passed = outcomes.count { $0 == "passed" }
        failed = outcomes.count { $0 == "failed" }
        pending = outcomes.count { $0 == "pending" }
        broken = files.count { $0.error != nil }
        self.duration = duration
    }

    var count: Int { passed + failed + pending }

    var status: ExitStatus {
        if broken > 0 { return .flow }
        return failed > 0 ? .failed : .success
    }
}

/// A run of all test files in sequence.
struct TestRun {
    let options: FlowTestOptions
    var reporter: any TestReporter
    let errors: ErrorPrinter
    private(set) var files: [TestedFile] = []
    private var duration = Duration.zero

    init(options: FlowTestOptions, reporter: any TestReporter, errors: ErrorPrinter) {
        self.options = options
        self.reporter = reporter
        self.errors = errors
    }

    mutating func play(_ path: String) {
        let clock = ContinuousClock()
        let start = clock.now
        var file = TestedFile(path: path)
        var reporter = reporter
        reporter.begin(path)
        do throws(FlowError) {
            let print = { Self.print($0, in: path.folderOfPath) }
            try FlowTestFile(.file(path), options: options).run(onPrint: print) { result in
                var result = result
                if case .failed(var failure) = result.outcome {
                    failure.error = failure.error.inFolder(of: path)
                    result.outcome = .failed(failure)
                }
                file.results.append(result)
                reporter.report(result, of: path)
            }
        } catch {
            let error = error.inFolder(of: path)
            file.error = error
            reporter.report(error, of: path)
        }
        for mistake in PlayedMistakes.find(
            in: [path], registry: options.plugins, libraries: options.libraries)
        {
            Self.print(mistake, in: "")
        }
        self.reporter = reporter
        duration += start.duration(to: clock.now)
        files.append(file)
    }

    mutating func finish(filter: String?) -> ExitStatus {
        let summary = TestSummary(files, duration: duration)
        reporter.finish(summary, files)
        guard summary.count == 0, summary.broken == 0 else { return summary.status }
        let error =
            filter.map { FlowError(.noSuchTest, printable($0)) } ?? FlowError(.emptyTestFiles)
        OutputStream.standardError.write(errors.text(error))
        return .noInput
    }

    private static func print(_ line: FlowLog, in folder: String) {
        let place = line.location.map { "\($0.inFolder(folder)): " } ?? ""
        OutputStream.standardError.write("\(printable(place + line.message))\n")
    }
}

extension FlowError {
    /// The error with places relative to the current folder.
    fileprivate func inFolder(of file: String) -> FlowError {
        guard let slash = file.lastIndex(of: "/") else { return self }
        let folder = file[...slash]
        var error = self
        // The error of an unreadable file has its path already.
        if let location, !location.file.hasPrefix(folder) {
            error.location?.file = folder + location.file
        }
        error.frames = frames.map { frame in
            var frame = frame
            frame.location.file = folder + frame.location.file
            return frame
        }
        return error
    }
}
