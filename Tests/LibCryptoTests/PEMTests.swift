import Testing

@testable import LibCrypto

@Suite("PEM files")
struct PEMTests {
    /// A certificate that is valid until 2126, and its key.
    private static let valid = """
        -----BEGIN CERTIFICATE-----
        MIIBdTCCARugAwIBAgIUDVA5A3WElHMJ/a/6SvWAtgvHA9owCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjMwOTA2MTVaGA8yMTI2MTAzMDA5MDYx
        NVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKwu
        Xn/IdHUvt5Hf+yE4xx1ZhjwZpMupHuOyICEqPS60PC2fUfi81aLPE+VjaeQoLBVU
        uDC/0PYAUa3JWugR3wejUzBRMB0GA1UdDgQWBBQGSELyGOhZkhgElTj6B4f6eXuF
        7zAfBgNVHSMEGDAWgBQGSELyGOhZkhgElTj6B4f6eXuF7zAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0gAMEUCIGBDwzVSmHlGnMs+h5UT7wi98IyR/kD/GsHX
        YA5DIItJAiEA/+hNFVTDOavTK/TJWTPBB8NZkpXvSgDzHSUDDGiJoK0=
        -----END CERTIFICATE-----

        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfuXtlN3P7xjLHa2l
        MXJMcc0Cl16OmHl97Sr8RsKQkY2hRANCAASsLl5/yHR1L7eR3/shOMcdWYY8GaTL
        qR7jsiAhKj0utDwtn1H4vNWizxPlY2nkKCwVVLgwv9D2AFGtyVroEd8H
        -----END PRIVATE KEY-----

        """
    /// A certificate of another key that was valid in the year 2000.
    private static let old = """
        -----BEGIN CERTIFICATE-----
        MIIBAzCBqwIBATAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDAR0ZXN0MB4XDTAwMDEw
        MTAwMDAwMFoXDTAxMDEwMTAwMDAwMFowDjEMMAoGA1UEAwwDb2xkMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAEcTcJuSrfcVWnMXeLtxBJV30Q/fWgjLBtzjgcS7Yr
        K8sztP666JsqJa8My9bCONZs0aiOFOjkI2BMQ6PcNnaNhTAKBggqhkjOPQQDAgNH
        ADBEAiAMKyoDv9WaknqGB0rwN4B1bllsJ+1+AgidjDs+P2BF3QIgOb0kqyeCm/OL
        kB/tuEz7BOKDSJArUQ1RN56z+N1/9k8=
        -----END CERTIFICATE-----

        """

    private static func certificates(_ text: String) -> PEM.Certificates? { PEM.certificates(in: Array(text.utf8)) }

    @Test("Certificates are counted, and the first one's expiry is checked")
    func countsCertificatesAndChecksExpiry() {
        #expect(Self.certificates(Self.valid) == .init(count: 1, isFirstExpired: false))
        #expect(Self.certificates(Self.old) == .init(count: 1, isFirstExpired: true))
        #expect(Self.certificates(Self.valid + Self.old) == .init(count: 2, isFirstExpired: false))
        #expect(Self.certificates("words before\n" + Self.old + Self.valid) == .init(count: 2, isFirstExpired: true))
    }

    @Test("A missing or broken certificate is refused")
    func refusesMissingAndBrokenCertificates() {
        #expect(Self.certificates("") == nil)
        #expect(Self.certificates("no certificate") == nil)
        #expect(Self.certificates(Self.key) == nil)
        #expect(Self.certificates(Self.valid + Self.old.replacing("MII", with: "AAA")) == nil)
    }

    @Test("A key is found, and belongs to one certificate only")
    func keyMatchesOneCertificate() {
        func isKey(of text: String) -> Bool {
            PEM.isKey(Array(Self.key.utf8), ofFirstCertificateIn: Array(text.utf8))
        }
        #expect(PEM.holdsKey(Array(Self.key.utf8)))
        #expect(!PEM.holdsKey(Array(Self.valid.utf8)))
        #expect(!PEM.holdsKey([]))
        #expect(isKey(of: Self.valid))
        #expect(isKey(of: Self.valid + Self.old))
        #expect(!isKey(of: Self.old))
        #expect(!isKey(of: Self.old + Self.valid))
        #expect(!isKey(of: ""))
        #expect(!PEM.isKey(Array(Self.old.utf8), ofFirstCertificateIn: Array(Self.old.utf8)))
    }
}
