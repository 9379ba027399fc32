import CCommit
import IntentStore
import KafkaLog
import LibCrypto
import LibCurl

/// What `--version` says: the program, the commit that it was built from, and the libraries that it has loaded.
enum ProgramVersion {
    /// Two lines, without a newline at the end.
    static var text: String {
        """
        intentd \(RootCommand.version), commit \(String(cString: ccommit()))
        librdkafka \(KafkaLibrary.version), SQLite \(StoreLibrary.version), libcrypto \(CryptoLibrary.version), \
        libcurl \(CurlLibrary.version), jemalloc \(MemoryAllocator.version)
        """
    }
}
