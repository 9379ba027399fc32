import CRDKafka

/// A buffer for the text of a librdkafka error.
struct ErrorText {
    /// The buffer, ended by a zero byte.
    var bytes = [CChar](repeating: 0, count: 512)

    var string: String { String(decoding: self.bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) }
}

extension rd_kafka_resp_err_t {
    /// librdkafka's words for the code.
    var text: String { String(cString: rd_kafka_err2str(self)) }

    var isSuccess: Bool { self == RD_KAFKA_RESP_ERR_NO_ERROR }
}
