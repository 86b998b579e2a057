import PlainValue
import WorkflowKit
import WorkflowLua

/// The loop of a run over its inputs: serves lines until there is nothing to wait for.
///
/// A run ends at the root's first output unless it is to keep going, at the end of the input once
/// no worker is at work unless others can attach to it, and by a signal or a time-out.
struct RunLoop {
    let session: FlowSession
    let configuration: RunConfiguration
    let watch: OutputFailures

    private var inputs: RunInputs { configuration.inputs }

    /// Runs until an end.
    ///
    /// - Parameters:
    ///   - ready: Called whenever a line is waited for.
    ///   - serve: Serves a line, `nil` for one that is no text; gives a reason if it ended the run.
    func run(
        ready: () async -> Void = {}, serve: (String?) async -> RunEnd?
    ) async -> RunEnd {
        if let end = watch.end { return end }
        if configuration.takesInput {
            await ready()
            inputs.readLines()
        } else {
            inputs.post(.end)
        }
        for await input in inputs.stream {
            switch input {
            case .line(let line):
                if let end = await serve(line) { return end }
            case .garbledLine:
                if let end = await serve(nil) { return end }
            case .output: break
            case .change:
                // What is wrong with the new files is an event; the old ones stay in force.
                do throws(FlowError) { try await session.reload(configuration.reload) } catch {}
            // There may be others who have something to say.
            case .end where configuration.socket != nil && !inputs.isTyped: continue
            case .end, .idle:
                // What is still on its way may start workers again.
                if await !session.hasRunningWorkers { return .eof }
                waitForIdle()
                continue
            case .signal, .timeout:
                inputs.serveEnd()
                return inputs.requestedEnd ?? .terminated
            }
            if await !session.takeOutputs().isEmpty, !configuration.keepsGoing { return .finished }
            if let end = watch.end { return end }
            guard isLine(input) else { continue }
            await ready()
            inputs.askForLine()
        }
        return .eof
    }

    private func isLine(_ input: RunInput) -> Bool {
        switch input {
        case .line, .garbledLine: true
        default: false
        }
    }

    private func waitForIdle() {
        let (session, inputs) = (session, inputs)
        Task {
            await session.untilIdle()
            inputs.post(.idle)
        }
    }
}
