#pragma once
#include <curl/curl.h>

// Swift cannot call functions that take their values by "...": one function here for each kind of value.

typedef size_t (*clibcurl_sink)(const char *bytes, size_t size, size_t count, void *context);

// A question about a transfer; any answer but 0 ends it.
typedef int (*clibcurl_question)(void *context);

static inline CURLcode clibcurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_size(CURL *handle, CURLoption option, size_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

static inline CURLcode clibcurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode clibcurl_set_sink(CURL *handle, CURLoption option, clibcurl_sink value) {
    return curl_easy_setopt(handle, option, value);
}

struct clibcurl_watch {
    // Asked whenever libcurl makes a connection.
    clibcurl_question connects;
    // Asked whenever libcurl is about to send the request.
    clibcurl_question sends;
    void *context;
};

static inline int clibcurl_connects(void *watch, curl_socket_t connection, curlsocktype purpose) {
    (void)connection;
    (void)purpose;
    struct clibcurl_watch *it = watch;
    return it->connects(it->context) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

#if LIBCURL_VERSION_NUM >= 0x075000
static inline int clibcurl_sends(void *watch, char *to, char *from, int to_port, int from_port) {
    (void)to;
    (void)from;
    (void)to_port;
    (void)from_port;
    struct clibcurl_watch *it = watch;
    return it->sends(it->context) == 0 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

// Asks before each connection and before each request that libcurl makes of its own accord.
static inline CURLcode clibcurl_set_watch(CURL *handle, struct clibcurl_watch *watch) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode code = curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, clibcurl_connects);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_SOCKOPTDATA, watch);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, clibcurl_sends);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, watch);
    return code;
#else
    // libcurl before 7.80 cannot be asked; it repeats nothing on a connection that it has just made.
    (void)watch;
    return curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
#endif
}

static inline CURLMcode clibcurl_set_limit(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// What the same settings are called in libcurl 7.85, 7.87 and before.
static inline CURLcode clibcurl_set_protocols(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Seconds for which certificates of a CA file are kept in memory; older versions read the file each time.
static inline CURLcode clibcurl_set_ca_seconds(CURL *handle, long seconds) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_CA_CACHE_TIMEOUT, seconds);
#else
    return CURLE_OK;
#endif
}

// Does not wait for the thread that looks a name up when a transfer ends before it.
static inline CURLcode clibcurl_leave_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_OK;
#endif
}

// The status of the answer; 0 without one.
static inline long clibcurl_status(CURL *handle) {
    long status = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

// The seconds of the answer's Retry-After, which may be a date as well; 0 without one, and in versions before 7.66.
static inline long long clibcurl_retry_after(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x074200
    curl_off_t seconds = 0;
    return curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? (long long)seconds : 0;
#else
    return 0;
#endif
}

// What was set by CURLOPT_PRIVATE.
static inline void *clibcurl_context(CURL *handle) {
    char *context = NULL;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : NULL;
}

// The next transfer that has ended, and how; NULL when there is none.
static inline CURL *clibcurl_next_ended(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// The version of the library that is loaded.
static inline const char *clibcurl_version(void) {
    return curl_version_info(CURLVERSION_NOW)->version;
}
