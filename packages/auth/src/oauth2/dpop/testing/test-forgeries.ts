import { createHash, createHmac, sign } from 'node:crypto'
import { api, ec, es256, type Forgery, jwkOf, rs256, rsa } from './test-proof.ts'

export const issuer = 'https://app.example.com'
export const token = 'an-access-token'
export const ath = createHash('sha256').update(token).digest('base64url')

/** How a proof is sent. */
export interface Sent {
  token?: string
  path?: string
}

type Row = [what: string, forge: (inSeconds: (seconds: number) => number) => Forgery, sent?: Sent]

/** What a proof may have, to be sent to a server whose issuer is this. */
export const genuine: Row[] = [
  ['RS256', () => ({ header: { alg: 'RS256', jwk: jwkOf(rsa.publicKey) }, signature: rs256 })],
  ['a query of the request', () => ({}), { path: '/notes?a=1' }],
  ['a query and a fragment of htu', () => ({ claims: { htu: `${api}/notes?b=2#c` } })],
  [
    'another case, and the default port',
    () => ({ claims: { htu: 'HTTPS://API.Example.COM:443/notes' } }),
  ],
  ['the address of the authorization server', () => ({ claims: { htu: `${issuer}/notes` } })],
  ['a kid, which is not asked for', () => ({ header: { kid: 'device-key-1' } })],
  ['a nonce, which was not given', () => ({ claims: { nonce: 'a' } })],
  ['the hash of its token', () => ({ claims: { ath } }), { token }],
  ['a hash, and no token', () => ({ claims: { ath: 'a' } })],
  ['an id of 8 characters', () => ({ claims: { jti: 'a~!-_.:9' } })],
  ['an id of 256 characters', () => ({ claims: { jti: 'a'.repeat(256) } })],
  ['an age of 299 s', (inSeconds) => ({ claims: { iat: inSeconds(-299) } })],
  ['a clock that is 30 s ahead', (inSeconds) => ({ claims: { iat: inSeconds(30) } })],
]

const publicPem = ec.publicKey.export({ format: 'pem', type: 'spki' })
const otherKey = { jwk: jwkOf(rsa.publicKey) }
export const forged: Row[] = [
  ['no signature', () => ({ header: { alg: 'none' }, signature: () => Buffer.alloc(0) })],
  ['alg none, and a signature that holds', () => ({ header: { alg: 'none' } })],
  [
    'HS256 with the public key',
    () => ({
      header: { alg: 'HS256' },
      signature: (signed) => createHmac('sha256', publicPem).update(signed).digest(),
    }),
  ],
  ['ES256 for an RSA key', () => ({ header: otherKey })],
  ['RS256 for a P-256 key', () => ({ header: { alg: 'RS256' }, signature: rs256 })],
  [
    'the signature of another key',
    () => ({ header: { ...otherKey, alg: 'RS256' }, signature: () => Buffer.alloc(256, 1) }),
  ],
  [
    'a signature in DER',
    () => ({ signature: (signed) => sign('sha256', Buffer.from(signed), ec.privateKey) }),
  ],
  ['a signature of nothing but zeros', () => ({ signature: () => Buffer.alloc(64) })],
  ['a signature with a turned bit', () => ({ signature: turnedBit })],
  ['its private key', () => ({ header: { jwk: jwkOf(ec.privateKey) } })],
  ['no key', () => ({ header: { jwk: undefined, kid: 'device-key-1' } })],
  ['the type JWT', () => ({ header: { typ: 'JWT' } })],
  ['no type', () => ({ header: { typ: undefined } })],
  ['crit', () => ({ header: { crit: ['exp'] } })],
  ['b64', () => ({ header: { b64: true } })],
  ['x5c', () => ({ header: { x5c: ['MIIB'] } })],
  ['jku', () => ({ header: { jku: 'https://evil.example.com/keys' } })],
  ['another method', () => ({ claims: { htm: 'GET' } })],
  ['the method in lower case', () => ({ claims: { htm: 'post' } })],
  ['no method', () => ({ claims: { htm: undefined } })],
  ['another path', () => ({ claims: { htu: `${api}/note` } })],
  ['a slash at the end', () => ({ claims: { htu: `${api}/notes/` } })],
  ['an encoded path', () => ({ claims: { htu: `${api}/%6Eotes` } })],
  ['a path with dots', () => ({ claims: { htu: `${api}/a/../notes` } })],
  ['no path', () => ({ claims: { htu: api } })],
  ['a path alone', () => ({ claims: { htu: '/notes' } })],
  ['another host', () => ({ claims: { htu: 'https://evil.example.com/notes' } })],
  ['a host below', () => ({ claims: { htu: 'https://api.example.com.evil.example/notes' } })],
  ['another port', () => ({ claims: { htu: `${api}:8443/notes` } })],
  ['another scheme', () => ({ claims: { htu: 'http://api.example.com/notes' } })],
  ['the default port of another scheme', () => ({ claims: { htu: `${api}:80/notes` } })],
  ['a user', () => ({ claims: { htu: 'https://me@api.example.com/notes' } })],
  ['a backslash', () => ({ claims: { htu: `${api}\\notes` } })],
  ['a space in front', () => ({ claims: { htu: ` ${api}/notes` } })],
  ['a line feed', () => ({ claims: { htu: `${api}/notes\n` } })],
  ['a list of addresses', () => ({ claims: { htu: [`${api}/notes`] } })],
  ['no address', () => ({ claims: { htu: undefined } })],
  ['no time', () => ({ claims: { iat: undefined } })],
  ['an age of 301 s', (inSeconds) => ({ claims: { iat: inSeconds(-301) } })],
  ['a clock that is 31 s ahead', (inSeconds) => ({ claims: { iat: inSeconds(31) } })],
  ['a fraction of a second', (inSeconds) => ({ claims: { iat: inSeconds(0) - 0.5 } })],
  ['its time as a text', (inSeconds) => ({ claims: { iat: String(inSeconds(0)) } })],
  ['no id', () => ({ claims: { jti: undefined } })],
  ['an id of 7 characters', () => ({ claims: { jti: 'a'.repeat(7) } })],
  ['an id of 257 characters', () => ({ claims: { jti: 'a'.repeat(257) } })],
  ['an id with a NUL', () => ({ claims: { jti: 'abcdefgh\0' } })],
  ['the hash of another token', () => ({ claims: { ath } }), { token: `${token}2` }],
  ['no hash of its token', () => ({}), { token }],
  ['the token itself for its hash', () => ({ claims: { ath: token } }), { token }],
  ['over 8 KiB', () => ({ claims: { padding: 'x'.repeat(7000) } })],
]

function turnedBit(signed: string) {
  const signature = es256(signed)
  signature[10] = (signature[10] ?? 0) ^ 1
  return signature
}
