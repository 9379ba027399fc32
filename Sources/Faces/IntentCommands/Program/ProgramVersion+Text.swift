import IntentOperations
import KafkaLog
import LibCrypto
import LibCurl
import SQLiteStore

extension ProgramVersion {
    /// The output of `--version`: the program, the commit from which it was built, and the libraries that it has loaded.
    ///
    /// Two lines, without a newline at the end.
    static var text: String {
        """
        intentd \(Self.number), commit \(Self.commit)
        librdkafka \(KafkaLibrary.version), SQLite \(StoreLibrary.version), libcrypto \(CryptoLibrary.version), \
        libcurl \(CurlLibrary.version), \(MemoryAllocator.description)
        """
    }
}
