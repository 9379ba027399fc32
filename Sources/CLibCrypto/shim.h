#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

// The SHA-256 of some bytes; 1 when it was made.
//
// Each thread keeps a context and the algorithm: looking the algorithm up and making a context take longer than the
// digest of a short text. Both are the thread's alone, and stay until it ends.
static inline int clibcrypto_sha256(const void *bytes, size_t count, unsigned char *digest) {
    static _Thread_local EVP_MD *algorithm;
    static _Thread_local EVP_MD_CTX *context;
    if (algorithm == NULL && (algorithm = EVP_MD_fetch(NULL, "SHA256", NULL)) == NULL) return 0;
    if (context == NULL && (context = EVP_MD_CTX_new()) == NULL) return 0;
    unsigned int length = 0;
    return EVP_DigestInit_ex2(context, algorithm, NULL) == 1 && EVP_DigestUpdate(context, bytes, count) == 1
        && EVP_DigestFinal_ex(context, digest, &length) == 1 && length == 32;
}
