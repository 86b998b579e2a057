import FlowPrinting
import FlowREPL
import LibC
import WorkflowLua
import WorkflowPlugins

/// The library that serves the page. It is loaded for the first page.
package struct InspectorLibrary: Sendable {
    package typealias Answer =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void
    package typealias Start =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?, Answer) -> Void
    package typealias Stop = @convention(c) (Int, UnsafeMutableRawPointer?, Answer) -> Void

    static let fileName = "libworkflow-inspector\(PluginSearch.ending)"

    private let startFunction: Start
    private let stopFunction: Stop

    /// The library's functions, linked into the program.
    package init(start: Start, stop: Stop) {
        startFunction = start
        stopFunction = stop
    }

    /// Loads the library from the program's folder, or from `lib/workflow-run` beside that folder.
    static func load(besideProgramIn folder: String? = programFolder) throws -> InspectorLibrary {
        if let linked = LinkedParts.current.page { return linked }
        let name = fileName
        guard let file = installedFile(name, besideProgramIn: folder) else {
            throw Refusal(
                FlowError(
                    .pageNotInstalled, name,
                    installation(ofProgramIn: folder, byRunning: "FLOW --inspect")), .configuration)
        }
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL),
            let start = dlsym(library, "workflow_inspector_start"),
            let stop = dlsym(library, "workflow_inspector_stop")
        else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason is given"
            throw Refusal(FlowError(.pageNotLoaded, name, reason), .configuration)
        }
        // The system returns untyped addresses. The library declares these functions with these
        // types.
        return InspectorLibrary(
            start: unsafeBitCast(start, to: Start.self), stop: unsafeBitCast(stop, to: Stop.self))
    }

    /// Starts a server with options in JSON, and returns its answer in JSON.
    func start(_ options: String) async -> String {
        await answer { context in
            startFunction(options, context, Self.resume)
        }
    }

    func stop(_ number: Int) async {
        _ = await answer { context in stopFunction(number, context, Self.resume) }
    }

    private func answer(_ call: (UnsafeMutableRawPointer?) -> Void) async -> String {
        await withCheckedContinuation { continuation in
            call(Unmanaged.passRetained(Waiter(continuation)).toOpaque())
        }
    }

    private static let resume: Answer = { context, text in
        guard let context else { return }
        Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue()
            .continuation.resume(returning: String(cString: text))
    }

    /// A caller that waits for an answer of the library.
    private final class Waiter: Sendable {
        let continuation: CheckedContinuation<String, Never>

        init(_ continuation: CheckedContinuation<String, Never>) {
            self.continuation = continuation
        }
    }
}
