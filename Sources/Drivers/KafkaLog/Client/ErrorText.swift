/// A buffer for the text of a librdkafka error.
struct ErrorText {
    /// The buffer, ended by a zero byte.
    var bytes = [CChar](repeating: 0, count: 512)

    var string: String {
        String(decoding: self.bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
