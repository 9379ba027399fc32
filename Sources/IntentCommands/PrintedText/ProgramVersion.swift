import CCommit
import IntentStore
import KafkaLog
import LibCrypto
import LibCurl

/// What `--version` says: the program, the commit that it was built from, and the libraries that it has loaded.
enum ProgramVersion {
    /// The commit that it was built from; "unknown" where the build was not told.
    static var commit: String { String(cString: ccommit()) }

    /// Two lines, without a newline at the end.
    static var text: String {
        """
        intentd \(RootCommand.version), commit \(Self.commit)
        librdkafka \(KafkaLibrary.version), SQLite \(StoreLibrary.version), libcrypto \(CryptoLibrary.version), \
        libcurl \(CurlLibrary.version), jemalloc \(MemoryAllocator.version)
        """
    }
}
