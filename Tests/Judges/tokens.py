"""An issuer of tokens: keys, the file that publishes them, and tokens that are right or wrong in one way."""

import base64
import hashlib
import hmac
import json
import time
import uuid

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

ISSUER = "https://issuer.example"
AUDIENCE = "https://intents.example"
ALL = "intents.ask intents.answer intents.read"


def encoded(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()


class Issuer:
    """Signs tokens with a key of each algorithm."""

    def __init__(self, file):
        self.file = file
        self.keys = {
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "RS256": rsa.generate_private_key(65_537, 2_048),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        }
        self.ids = {algorithm: f"{algorithm.lower()}-1" for algorithm in self.keys}
        self.publish()

    def jwk(self, algorithm):
        made = jwt.get_algorithm_by_name(algorithm).to_jwk(self.keys[algorithm].public_key(), as_dict=True)
        return {**made, "kid": self.ids[algorithm], "alg": algorithm, "use": "sig"}

    def publish(self):
        """Writes the public keys, whole or not at all."""
        draft = self.file.with_suffix(".new")
        draft.write_text(json.dumps({"keys": [self.jwk(algorithm) for algorithm in self.keys]}))
        draft.replace(self.file)

    def rotate(self):
        """Replaces the elliptic key by another one under another id; returns a token that the old one has signed."""
        old = self.token("rotated")
        self.keys["ES256"] = ec.generate_private_key(ec.SECP256R1())
        self.ids["ES256"] = f"es256-{uuid.uuid4().hex[:6]}"
        self.publish()
        return old

    def public_pem(self, algorithm):
        return self.keys[algorithm].public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    @staticmethod
    def claims(user, scope=ALL, seconds=3_600, **claims):
        now = int(time.time())
        made = {"iss": ISSUER, "aud": AUDIENCE, "sub": user, "iat": now, "exp": now + seconds, "scope": scope, "client_id": "judge"}
        return {name: value for name, value in (made | claims).items() if value is not None}

    def token(self, user, algorithm="ES256", *, key=None, headers=None, scope=ALL, seconds=3_600, **claims):
        """A token of the user; claims that are None are left out."""
        made = self.claims(user, scope, seconds, **claims)
        return jwt.encode(made, key or self.keys[algorithm], algorithm, headers={"kid": self.ids[algorithm], **(headers or {})})

    def wrong(self, user):
        """Tokens that must be refused, by what is wrong with them."""
        stranger = ec.generate_private_key(ec.SECP256R1())
        now = int(time.time())
        good = self.token(user)
        head, body, signature = good.split(".")
        other = self.token("mallory").split(".")
        none = encoded({"alg": "none", "typ": "JWT"})
        claims = encoded(self.claims(user))
        embedded = jwt.get_algorithm_by_name("ES256").to_jwk(stranger.public_key(), as_dict=True)
        crypt = jwt.encode(self.claims(user), b"k" * 32, "HS256", headers={"kid": self.ids["RS256"]})
        return {
            "another key under a known id": self.token(user, key=stranger),
            "an unknown key id": self.token(user, key=stranger, headers={"kid": "stranger"}),
            "a key in the token itself": self.token(user, key=stranger, headers={"jwk": embedded}),
            "an address of keys in the token": self.token(user, key=stranger, headers={"jku": "http://127.0.0.1:1/keys"}),
            "a key id that is a path": self.token(user, key=stranger, headers={"kid": "../../../../dev/null"}),
            "a key id that is SQL": self.token(user, key=stranger, headers={"kid": "x' UNION SELECT 'k"}),
            "no algorithm": f"{none}.{claims}.",
            "no algorithm, in capitals": f"{encoded({'alg': 'NONE'})}.{claims}.",
            "no algorithm, and a signature": f"{none}.{claims}.{signature}",
            "a shared secret": crypt,
            "the public key as a shared secret": self.confused("RS256", user),
            "the other public key as a shared secret": self.confused("ES256", user),
            "an algorithm that the key is not for": self.relabelled(user),
            "expired": self.token(user, seconds=-120),
            "not valid yet": self.token(user, nbf=now + 600),
            "issued in the future": self.token(user, iat=now + 600, nbf=now + 600),
            "without an end": self.token(user, exp=None),
            "an end that is no number": self.raw(user, exp="tomorrow"),
            "another issuer": self.token(user, iss="https://issuer.example.evil"),
            "no issuer": self.token(user, iss=None),
            "another audience": self.token(user, aud="https://other.example"),
            "other audiences": self.token(user, aud=["https://a.example", "https://b.example"]),
            "no audience": self.token(user, aud=None),
            "no user": self.token(user, sub=None),
            "an empty user": self.token(""),
            "a user that is a number": self.raw(user, sub=7),
            "another body under the signature": f"{head}.{other[1]}.{signature}",
            "a signature of zeros": f"{head}.{body}.{encoded(bytes(64))}",
            "a short signature": f"{head}.{body}.{signature[:-4]}",
            "no signature": f"{head}.{body}.",
            "two parts": f"{head}.{body}",
            "five parts": f"{good}.{body}.{signature}",
            "a critical header": self.token(user, headers={"crit": ["exp"], "exp": now + 60}),
            "no JSON": "e30.bm90IEpTT04.AAAA",
            "no base64": f"{head}.{body}.!!!!",
            "nothing": "",
            "very long": "A" * 12_000,
        }

    def raw(self, user, **claims):
        """A token whose claims no library would sign."""
        head = encoded({"alg": "ES256", "typ": "JWT", "kid": self.ids["ES256"]})
        body = encoded(self.claims(user) | claims)
        signer = jwt.get_algorithm_by_name("ES256")
        return f"{head}.{body}.{encoded(signer.sign(f'{head}.{body}'.encode(), self.keys['ES256']))}"

    def confused(self, algorithm, user):
        """The public key, which everybody knows, used as the secret of an HMAC."""
        head = encoded({"alg": "HS256", "typ": "JWT", "kid": self.ids[algorithm]})
        body = encoded(self.claims(user))
        return f"{head}.{body}.{encoded(hmac.digest(self.public_pem(algorithm), f'{head}.{body}'.encode(), hashlib.sha256))}"

    def relabelled(self, user):
        """Signed with the elliptic key, and labelled as RSA's."""
        head = encoded({"alg": "RS256", "typ": "JWT", "kid": self.ids["ES256"]})
        body = encoded(self.claims(user))
        signer = jwt.get_algorithm_by_name("ES256")
        return f"{head}.{body}.{encoded(signer.sign(f'{head}.{body}'.encode(), self.keys['ES256']))}"
