import LibCrypto
import Testing

@Suite("Digests and signatures match their standards")
struct LibCryptoTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        var digits = hex[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(digits.prefix(2), radix: 16) {
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        return bytes
    }

    @Test("SHA-256: FIPS 180-4's examples, on several threads at once")
    func sha256MatchesStandardOnManyThreads() async {
        let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    #expect(
                        SHA256.hash("abc")
                            == Self.bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
                    )
                    #expect(
                        SHA256.hash([])
                            == Self.bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
                    )
                    #expect(
                        SHA256.hash(million)
                            == Self.bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
                    )
                }
            }
        }
    }

    @Test("A digest's text is lower-case hexadecimal, whole or its first bytes, by each way of writing it")
    func digestIsLowercaseHexadecimal() {
        let digest = SHA256.digest([UInt8]("abc".utf8))
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(digest.bytes == Self.bytes(text))
        #expect(digest.hex() == text)
        #expect(digest.hex(4) == "ba7816bf")
        #expect(digest.firstBits == 0xBA78_16BF_8F01_CFEA)
        var written = Array("at ".utf8)
        digest.writeHex(to: &written)
        digest.writeHex(2, to: &written)
        #expect(String(decoding: written, as: UTF8.self) == "at \(text)ba78")
    }

    @Test("HMAC with SHA-256: RFC 4231's cases 1 and 2")
    func hmacMatchesStandard() {
        let first = HMACSHA256.code(for: Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
        #expect(first == Self.bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
        let message = Array("what do ya want for nothing?".utf8)
        let second = HMACSHA256.code(for: message, key: Array("Jefe".utf8))
        #expect(second == Self.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    }

    @Test("Ed25519: RFC 8032's second test")
    func ed25519MatchesStandard() throws {
        let secret = Self.bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        let key = try #require(Ed25519.PrivateKey(rawRepresentation: secret))
        #expect(
            key.publicKey.rawRepresentation
                == Self.bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        )
        let signature = key.signature(for: [0x72])
        #expect(
            signature
                == Self.bytes(
                    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
                )
        )
        #expect(key.publicKey.isValidSignature(signature, for: [0x72]))
        #expect(!key.publicKey.isValidSignature(signature, for: [0x73]))
        #expect(!key.publicKey.isValidSignature(Array(signature.dropLast()), for: [0x72]))
        #expect(!Ed25519.PrivateKey().publicKey.isValidSignature(signature, for: [0x72]))
    }

    @Test("Keys have 32 bytes; new ones differ")
    func keysHave32BytesAndDiffer() {
        #expect(Ed25519.PrivateKey(rawRepresentation: [1, 2, 3]) == nil)
        #expect(Ed25519.PublicKey(rawRepresentation: [UInt8](repeating: 1, count: 33)) == nil)
        #expect(Ed25519.PrivateKey().rawRepresentation != Ed25519.PrivateKey().rawRepresentation)
    }
}
