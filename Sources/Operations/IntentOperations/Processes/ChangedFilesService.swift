internal import Foundation
internal import Logging
internal import ServiceLifecycle
internal import Telemetry

/// Logs that the configuration, or files of intents, vocabularies and prompts, have changed: a process reads them when it
/// starts only.
struct ChangedFilesService: Service {
    /// The interval at which the files are checked.
    private static let interval = Duration.seconds(5)

    private let files: @Sendable () -> [String]
    private let logger: Logger
    /// What was in each file when the process read it.
    private let contents: [String: Data]

    /// Takes the files as they are now for what the process has read.
    init(_ configuration: Configuration, directory: String = DefinitionFiles.directory, logger: Logger) {
        let files: @Sendable () -> [String] = {
            [configuration.file].compactMap(\.self) + DefinitionFiles.files(in: directory)
                + configuration.list(.definitions)
                + VocabularyFiles.files(in: configuration.text(.vocabularies) ?? "").map(\.path)
                + PromptFiles.files(in: configuration.text(.promptsDirectory) ?? "").map(\.path)
        }
        self.files = files
        self.logger = logger
        self.contents = Self.read(files())
    }

    private static func read(_ files: [String]) -> [String: Data] {
        Dictionary(files.compactMap { path in FileManager.default.contents(atPath: path).map { (path, $0) } }) { $1 }
    }

    /// The files that were changed, added or removed, in order.
    var changed: [String] {
        let now = Self.read(self.files())
        return Set(now.keys).union(self.contents.keys).filter { now[$0] != self.contents[$0] }.sorted()
    }

    /// Looks at them until the group shuts down.
    func run() async {
        await cancelWhenGracefulShutdown {
            var reported: [String] = []
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let changed = self.changed
                if !changed.isEmpty, changed != reported {
                    self.logger.notice(
                        "Files have changed since they were loaded. Restart this process to load them.",
                        metadata: [TelemetryKey.files: "\(changed.joined(separator: ", "))"]
                    )
                }
                reported = changed
            }
        }
    }
}
