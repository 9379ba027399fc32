package import IntentRuntime

extension RuntimeSettings {
    /// No turn is parked because the machine is busy: for tests that count turns.
    package static var unhurried: Self {
        var settings = Self()
        settings.parkAfter = .seconds(3_600)
        settings.batchMaxDelay = .seconds(3_600)
        return settings
    }
}
