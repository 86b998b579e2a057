import ArgumentParser
import Dispatch
import FlowPrinting
import FlowREPL
import LibC
import Terminal

struct AttachCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Explores a flow that another program is playing.",
        usage: "workflow-run attach <socket> [--json | --web[=<port>]]",
        discussion: """
              workflow-run attach /tmp/watch.sock
              stopwatch> pause
              stopwatch> .undo

            The socket is opened by workflow-run Examples/stopwatch/stopwatch.lua --listen \
            /tmp/watch.sock in another terminal, say, or by session.listen(at:) in a program. The \
            commands are those of the REPL; .help lists them. Ctrl-D detaches, and the flow goes \
            on. In a pipe, each line of standard input is a command; with --json, a request of the \
            JSON protocol. With --web, the session is shown in a browser until Ctrl-C.

            Exits with 0, or 64 usage, 65 a line failed, 66 no socket, 69 nobody listens or it \
            refuses, 74 connection lost.
            """)

    @Argument(help: "The socket that the session listens at.", completion: .file())
    var socket: String

    @Flag(help: "Speak JSON lines: requests in, events out.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Show the session in a browser; --web is --web=0: any port that is free.",
            valueName: "port"))
    var web: UInt16?

    @OptionGroup var page: PageOptions

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    func validate() throws {
        try check(web == nil || !json, "--web and --json do not go together.")
        if web == nil, let option = page.given {
            throw ValidationError("\(option) goes with --web.")
        }
    }

    func perform() async throws -> ExitStatus {
        if let web { return try await showPage(port: web) }
        guard json else { return try await talk() }
        do {
            return try await AttachBridge().run(socket)
        } catch {
            return await JSONInterface.refuse(error)
        }
    }

    /// Shows the page until Ctrl-C or the end of the session.
    private func showPage(port: UInt16) async throws -> ExitStatus {
        let connection = try SocketConnection(path: socket)
        let inputs = RunInputs(timeout: nil)
        let inspection = try await Inspection(of: socket, port: port, page)
        inspection.announce()
        // Only the end of the events matters here.
        connection.send(#"{"do":"follow"}"#.utf8)
        DispatchQueue(label: "socket").async {
            connection.readLines { _ in true }
            inputs.post(.end)
        }
        let end = await inputs.untilEnd()
        if end == .finished { OutputStream.standardError.write("The session has ended.\n") }
        connection.end()
        await inspection.close()
        return end.status
    }

    private func talk() async throws -> ExitStatus {
        var options = REPL.Options()
        options.style = color.output.style
        options.errorStyle = color.errors.style
        let open = { [socket] (options: REPL.Options) async throws in
            let session = try await RemoteSession.attach(to: socket, onNews: options.onNews)
            return await REPL.attach(to: session, options: options)
        }
        guard isatty(STDIN_FILENO) == 1, OutputStream.standardOutput.isTerminal else {
            return try await PipedREPL(options).run(open: open)
        }
        return try await TerminalREPL(options).run(
            banner: [banner], showsHeadline: true, open: open)
    }

    private var banner: String {
        "workflow-run \(RootCommand.version), attached to \(printable(socket)). "
            + "Type .help for help, Ctrl-D to detach."
    }
}
