import Logging

extension Logger {
    /// Prints messages of at least that level.
    static func tests(_ level: Logger.Level = .error) -> Logger {
        var logger = Logger(label: "tests")
        logger.logLevel = level
        return logger
    }
}
