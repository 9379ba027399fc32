import ArgumentParser
import IntentOperations

/// The option of commands that run stages.
struct TracingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The share of requests to trace, from 0 to 1. (default: tracing.sample)",
            valueName: "share"
        ),
        transform: Self.share
    )
    var traceSample: SettingValue?

    var settings: [(setting: Setting, option: String, value: SettingValue)] {
        self.traceSample.map { [(.tracingSample, "--trace-sample", $0)] } ?? []
    }

    private static func share(_ text: String) throws -> SettingValue {
        let type = Setting.tracingSample.type
        guard let share = type.read(text) else {
            throw ValidationError("'\(text)' is not a share: use \(type.expectation)")
        }
        return share
    }
}
