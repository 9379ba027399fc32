import CCommit
import IntentStore
import KafkaLog
import LibCrypto
import LibCurl

/// The output of `--version`: the program, the commit from which it was built, and the libraries that it has loaded.
enum ProgramVersion {
    /// The commit from which it was built; "unknown" where the build did not know it.
    static var commit: String { String(cString: ccommit()) }

    /// Two lines, without a newline at the end.
    static var text: String {
        """
        intentd \(RootCommand.version), commit \(Self.commit)
        librdkafka \(KafkaLibrary.version), SQLite \(StoreLibrary.version), libcrypto \(CryptoLibrary.version), \
        libcurl \(CurlLibrary.version), \(MemoryAllocator.description)
        """
    }
}
