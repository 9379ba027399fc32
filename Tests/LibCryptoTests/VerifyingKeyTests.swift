import LibCrypto
import Testing

@Suite("Keys that verify tokens, against signatures of another library (pyca/cryptography)")
struct VerifyingKeyTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2)
            .map { UInt8(hex.dropFirst($0).prefix(2), radix: 16)! }
    }

    private static let message = Array("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0".utf8)

    private static let modulus = Self.bytes(
        "99fa6944b8783d9dbd3b31f99395313c1748371fbb2131e86b0fe4fc3711ef956a8dfdc2bfc822cfb12fe773b9"
            + "8b3fe39fd63e32ab825c438b6a920cbc112163addb5735d3cf2ab0db5576532f032b4e496bb82294a3a166c435"
            + "8f6e7a158899ee13488252efe6b4f65fe665b5923d3fa27b1388660caebebef585ccd6909937e42a5020773fef"
            + "9b33912d38d2bd0087ffb36c7d44343d68b99507c3cfb84a440cc209f28f6becc53eb1a4a9f01c17bd324a70a6"
            + "4f7976228a2c0573e3ab0c16e928d7faab0030a62a6aceb68672e049c1a75148f66b32cf6036b60545c476c4a6"
            + "e582c9dabb3af2f7791e30dbf0fcf6273cec9174748645536ca43c636bb901"
    )
    private static let rsaSignature = Self.bytes(
        "4c10c43d60105eb81f6e2d71c7d5c3b509276f3ffd3b36bc26e1a75484d16192cad747c286f60c404e09455973"
            + "eb17524ae38683869b3d4feebb6cce2126006d2e5627ea9ee14de23fcc2bec1b66e6273d1ca90661ffb915713f"
            + "5ee2b9dcdffe2985f86f215a8f330bf2959d38077dbe3df0370571bdb7b29a8ac789f0d20d2729a7f340ba2bbc"
            + "a5182a0bd1d04f7a984c3fb3e76ddb11dbdb931a0994b68f310ff08f9f850feb34ccac648342e9d889834d9101"
            + "930d0a36e9740fd18dc0f6500d94c8792ccd9f38f44851451067450d34b3d053c285e6d769a73e0a9f46c6bf6f"
            + "ae500c219c95251f446dd8685bdd2faf50c0679cd9a7a2f34d0bd32e02624e"
    )
    private static let shortModulus = Self.bytes(
        "de0600f7648655fde25be1f6ba4462c9ca754a46a06fa13cd644f2d41d4da12afbd209ebebbcb81240c8d7c529"
            + "b7c3efd49927c2fb86532c17013526f61508a8bc6b4355eff0f7a66b5ca7892c74e39c67c05252d261c27de69a"
            + "387f80f09fce3cc80d7d786a1e6cc44568339f5f9de9604aed5fcc6ccf777cf01b6d487e61d3"
    )
    private static let x = Self.bytes("66ea07d21139399bfe2b25e984fd02137d351c1696346ef9bb679c9ab8d2bb96")
    private static let y = Self.bytes("5cafb199edb20b8bd5d1e8bed880c0e6f0483dc50adb44369bd0ff4398cec9f5")
    /// Its first number has its first bit set, and its second begins with a zero byte: DER writes both otherwise.
    private static let ecSignature = Self.bytes(
        "9d668f0df1b2c081838f6bf3668c9c07e892de928b42bb9b2273fd6dd40858be00b774feb832d1952bde4a454a"
            + "4962edaf0119bccec85f53908f280b83370953"
    )

    private static var keys: [(VerifyingKey?, [UInt8])] {
        let own = Ed25519.PrivateKey()
        return [
            (VerifyingKey(rsaModulus: Self.modulus, exponent: [1, 0, 1]), Self.rsaSignature),
            (VerifyingKey(p256X: Self.x, y: Self.y), Self.ecSignature),
            (VerifyingKey(ed25519: own.publicKey.rawRepresentation), own.signature(for: Self.message)),
        ]
    }

    @Test("The signature of each algorithm is valid for its message and its key, and for nothing else")
    func verifiesSignatures() throws {
        let keys = try Self.keys.map { (try #require($0.0), $0.1) }
        #expect(keys.map(\.0.algorithm) == [.rs256, .es256, .edDSA])
        for (index, (key, signature)) in keys.enumerated() {
            #expect(key.isValidSignature(signature, for: Self.message))
            #expect(!key.isValidSignature(signature, for: Self.message + [0]))
            for changed in [0, signature.count / 2, signature.count - 1] {
                var wrong = signature
                wrong[changed] ^= 1
                #expect(!key.isValidSignature(wrong, for: Self.message))
            }
            for wrong in [
                [], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 0, count: signature.count),
            ] {
                #expect(!key.isValidSignature(wrong, for: Self.message))
            }
            for (other, (_, foreign)) in keys.enumerated() where other != index {
                #expect(!key.isValidSignature(foreign, for: Self.message))
            }
        }
    }

    @Test("A key that is no safe key is none")
    func refusesUnsafeKeys() {
        #expect(VerifyingKey(rsaModulus: Self.shortModulus, exponent: [1, 0, 1]) == nil)
        #expect(VerifyingKey(rsaModulus: [UInt8](repeating: 0xFF, count: 1_025), exponent: [1, 0, 1]) == nil)
        for exponent in [[], [0], [1], [2], [UInt8](repeating: 0xFF, count: 9)] {
            #expect(VerifyingKey(rsaModulus: Self.modulus, exponent: exponent) == nil)
        }
        #expect(VerifyingKey(rsaModulus: [0] + Self.modulus, exponent: [0, 1, 0, 1]) != nil)
        #expect(VerifyingKey(p256X: Self.y, y: Self.x) == nil)
        #expect(VerifyingKey(p256X: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(VerifyingKey(p256X: Array(Self.x.dropFirst()), y: Self.y) == nil)
        #expect(VerifyingKey(ed25519: []) == nil)
    }
}
