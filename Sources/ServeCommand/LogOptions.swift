import ArgumentParser
import Logging

/// The options that say what is logged, and how.
struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How lines of the log are written.", valueName: "form"))
    var logFormat = LogForm.text

    @Option(
        help: ArgumentHelp(
            "What is logged: requests from info on.", valueName: "level"))
    var logLevel = LogLevel.notice

    /// The log on standard error.
    var logger: Logger {
        var logger = Logger(label: "workflow") { [logFormat] _ in LineLog(form: logFormat) }
        logger.logLevel = logLevel.level
        return logger
    }
}

/// How a line of the log is written.
enum LogForm: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// The least important lines that are logged.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}
