#pragma once
#include <librdkafka/rdkafka.h>

/// `rd_kafka_producev` for one record, which Swift cannot call because it is variadic.
///
/// Key and value are copied before it returns. A null pointer is a null key or value, whatever its size. On
/// success the headers belong to librdkafka; on failure they remain the caller's.
static inline rd_kafka_resp_err_t intentd_rd_kafka_produce(
    rd_kafka_t *rk, rd_kafka_topic_t *rkt, int32_t partition,
    const void *key, size_t key_size, const void *value, size_t value_size,
    int64_t timestamp, rd_kafka_headers_t *headers, void *opaque) {
    if (headers)
        return rd_kafka_producev(
            rk, RD_KAFKA_V_RKT(rkt), RD_KAFKA_V_PARTITION(partition),
            RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
            RD_KAFKA_V_KEY((void *)key, key_size),
            RD_KAFKA_V_VALUE((void *)value, value_size),
            RD_KAFKA_V_TIMESTAMP(timestamp), RD_KAFKA_V_OPAQUE(opaque),
            RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
    return rd_kafka_producev(
        rk, RD_KAFKA_V_RKT(rkt), RD_KAFKA_V_PARTITION(partition),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY((void *)key, key_size),
        RD_KAFKA_V_VALUE((void *)value, value_size),
        RD_KAFKA_V_TIMESTAMP(timestamp), RD_KAFKA_V_OPAQUE(opaque),
        RD_KAFKA_V_END);
}
