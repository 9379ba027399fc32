import Foundation
import MessageGenerator

/// Makes the Swift files of the broker's messages from their definitions: `swift run generate-messages`, in the
/// package's directory.
@main
enum GenerateMessages {
    static func main() throws {
        let package = URL(filePath: FileManager.default.currentDirectoryPath)
        for path in try GeneratedFiles(package: package).write() { print(path) }
    }
}
