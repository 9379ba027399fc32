#pragma once
// For SHA256_Init and its like.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

// The SHA-256 of some bytes; 1 when it was made.
//
// The low-level functions: they need no memory but their own on the stack, while a context of the newer ones is allocated
// for each digest, which takes longer than the digest of a short text.
static inline int clibcrypto_sha256(const void *bytes, size_t count, unsigned char *digest) {
    SHA256_CTX context;
    return SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes, count) == 1
        && SHA256_Final(digest, &context) == 1;
}
