import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  base64url,
  claims,
  ec,
  es256Row,
  header,
  parse,
  parsed,
  rs256Row,
  rsa,
  signed,
} from './testing/test-jwt.ts'
import { verifySignature } from './verify-signature.ts'

describe('verifySignature', () => {
  const rs256 = (alg = 'RS256') => {
    const text = `${base64url(JSON.stringify({ ...header, alg }))}.${base64url(JSON.stringify(claims))}`
    return `${text}.${base64url(sign('sha256', Buffer.from(text), rsa.privateKey))}`
  }

  it('takes ES256 and RS256 by their own keys', () => {
    expect(verifySignature(parsed(signed()), es256Row)).toBe(true)
    expect(verifySignature(parsed(rs256()), rs256Row)).toBe(true)
  })

  it('takes the algorithm from the key, never from the token', () => {
    expect(verifySignature(parsed(signed()), { key: ec.publicKey, algorithm: 'RS256' })).toBe(false)
    expect(verifySignature(parsed(rs256()), { key: rsa.publicKey, algorithm: 'ES256' })).toBe(false)
    expect(verifySignature(parsed(signed()), rs256Row)).toBe(false)
    expect(verifySignature(parsed(rs256()), es256Row)).toBe(false)
  })

  it('refuses another key and a changed token', () => {
    const stranger: KeyObject = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    const jwt = parsed(signed())

    expect(verifySignature(jwt, { key: stranger, algorithm: 'ES256' })).toBe(false)
    const [head, , signature] = signed().split('.')
    const changed = base64url(JSON.stringify({ ...claims, htu: '/admin' }))
    expect(verifySignature(parsed(`${head}.${changed}.${signature}`), es256Row)).toBe(false)
  })

  it('refuses a token with any one character changed', () => {
    const token = signed()

    for (let position = 0; position < token.length; position++) {
      for (const character of ['A', 'B', '_', '=', '.', ' ', '\0', 'é', '']) {
        if (character === token[position]) continue
        const jwt = parse(token.slice(0, position) + character + token.slice(position + 1))
        if (jwt && verifySignature(jwt, es256Row)) expect.fail(`${character} at ${position}`)
      }
    }
  })

  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  const jwt = parsed(signed())
  const r = numberOf(jwt.signature.subarray(0, 32))
  const s = numberOf(jwt.signature.subarray(32))
  const most = 2n ** 256n - 1n

  it.each([
    ['all zero', 0n, 0n],
    ['r = 0', 0n, s],
    ['s = 0', r, 0n],
    ['r = 1 and s = 1', 1n, 1n],
    ['r = n', order, s],
    ['s = n', r, order],
    ['r and s = n', order, order],
    ['r = n + 1', order + 1n, s],
    ['r = n − r', order - r, s],
    ['r and s as large as they can be', most, most],
    ['r and s changed over', s, r],
  ])('refuses an ES256 signature with %s', (_, badR, badS) => {
    const signature = Buffer.concat([word(badR), word(badS)])

    expect(verifySignature({ ...jwt, signature }, es256Row)).toBe(false)
  })

  it('takes the signature with n − s too: it carries the same jti', () => {
    const signature = Buffer.concat([word(r), word(order - s)])

    expect(verifySignature({ ...jwt, signature }, es256Row)).toBe(true)
    const [head, payload] = jwt.signed.split('.')
    expect(parsed(`${head}.${payload}.${base64url(signature)}`).claims.jti).toBe(claims.jti)
  })

  it('refuses RSA signatures with another padding or hash', () => {
    const token = parsed(rs256())
    const bytes = Buffer.from(token.signed)
    const { privateKey } = rsa
    const pss = sign('sha256', bytes, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING })
    const sha1 = sign('sha1', bytes, privateKey)

    for (const signature of [
      pss,
      sha1,
      Buffer.alloc(256),
      Buffer.alloc(256, 0xff),
      Buffer.alloc(384, 1),
    ]) {
      expect(verifySignature({ ...token, signature }, rs256Row)).toBe(false)
    }
  })
})
