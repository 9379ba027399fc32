import IntentLab
import Logging
import Testing

@testable import IntentOperations

@Suite("Files that change while a process runs")
struct ChangedFilesTests {
    private let directory: TemporaryDirectory
    private let service: ChangedFilesService

    init() throws {
        self.directory = try TemporaryDirectory()
        let named = try self.directory.write("name: A", to: "named.yaml")
        _ = try self.directory.write("name: B", to: "b.yaml")
        var configuration = Configuration()
        configuration.file = self.directory.file("intentd.yaml")
        configuration.values[Setting.definitions.key] = .init(value: .list([named]), origin: .byDefault)
        self.service = ChangedFilesService(
            configuration,
            directory: self.directory.path,
            logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("A file counts as changed when its content differs, when it is new, and when it is gone")
    func detectsChangedNewAndDeletedFiles() throws {
        #expect(self.service.changed == [])
        // Written again with the same content: nothing has changed.
        _ = try self.directory.write("name: B", to: "b.yaml")
        _ = try self.directory.write("no intent", to: "notes.txt")
        #expect(self.service.changed == [])
        let changed = try self.directory.write("name: C", to: "b.yaml")
        let new = try self.directory.write("name: D", to: "d.json")
        #expect(self.service.changed == [changed, new])
        _ = try self.directory.write("name: B", to: "b.yaml")
        #expect(self.service.changed == [new])
    }

    @Test("The configuration file counts as well, also one that did not exist")
    func detectsChangedConfiguration() throws {
        let file = try self.directory.write("prompts: {timeout: PT1M}", to: "intentd.yaml")
        #expect(self.service.changed.contains(file))
    }
}
