import CRDKafka

/// The result of one of librdkafka's transactional calls, and what it requires.
struct TransactionFailure: Error {
    /// How far the transaction had got.
    enum Stage {
        /// Its end had not been requested: it is certainly not committed.
        case open
        /// Its commit had been requested.
        case ending
    }

    var code: rd_kafka_resp_err_t
    /// librdkafka's text for it.
    var message: String
    /// The producer is no longer usable.
    var isFatal: Bool
    /// The transaction is to be aborted; another one may succeed.
    var requiresAbort: Bool
    /// The same call may be made again.
    var isRetriable: Bool
    var stage: Stage

    /// Takes ownership of an error of librdkafka, and frees it.
    init(taking error: OpaquePointer, stage: Stage) {
        self.code = rd_kafka_error_code(error)
        self.message = String(cString: rd_kafka_error_string(error))
        self.isFatal = rd_kafka_error_is_fatal(error) != 0
        self.requiresAbort = rd_kafka_error_txn_requires_abort(error) != 0
        self.isRetriable = rd_kafka_error_is_retriable(error) != 0
        self.stage = stage
        rd_kafka_error_destroy(error)
    }

    /// A record that was not accepted: abort.
    init(refused code: rd_kafka_resp_err_t) {
        self.code = code
        self.message = code.text
        self.isFatal = code == RD_KAFKA_RESP_ERR__FATAL
        self.requiresAbort = true
        self.isRetriable = false
        self.stage = .open
    }
}
