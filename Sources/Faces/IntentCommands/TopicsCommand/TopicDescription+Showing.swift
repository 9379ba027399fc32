import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

extension TopicDescription {
    /// The topic for `--json`.
    var json: JSONValue {
        .object([
            "name": self.name.json, "partitions": .integer(Int64(self.partitions)),
            "replicationFactor": .integer(Int64(self.replicationFactor)),
            "configuration": .object(self.configuration.mapValues { .string($0) }),
        ])
    }

    /// The retention time, for people.
    var retention: String {
        guard let text = self.configuration["retention.ms"], let milliseconds = Int64(text) else { return "" }
        return milliseconds < 0 ? "forever" : DurationText.write(.milliseconds(milliseconds))
    }
}
