import CRDKafka

extension rd_kafka_resp_err_t {
    /// librdkafka's words for the code.
    var text: String {
        String(cString: rd_kafka_err2str(self))
    }

    var isSuccess: Bool {
        self == RD_KAFKA_RESP_ERR_NO_ERROR
    }
}
