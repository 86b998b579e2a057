import ArgumentParser
import Logging

struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How lines of the log are written.", valueName: "form"))
    var logFormat = LogForm.text

    @Option(
        help: ArgumentHelp(
            "What is logged: requests from info on.", valueName: "level"))
    var logLevel = LogLevel.notice

    var logger: Logger {
        var logger = Logger(label: "workflow") { [logFormat] _ in LineLog(form: logFormat) }
        logger.logLevel = logLevel.level
        return logger
    }
}

enum LogForm: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case debug, info, notice, warning, error

    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .notice }
}
