import { createHmac, KeyObject, sign } from 'node:crypto'
import { requestSigner } from '@svc/core/client'
import { createSigningKey } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { parseRequestJwt } from './request-jwt.ts'
import {
  base64url,
  bearer,
  claims,
  ec,
  es256,
  es256Row,
  header,
  keyId,
  parse,
  parsed,
  rsa,
  signed,
  signParts,
  without,
} from './testing/test-jwt.ts'
import { verifySignature } from './verify-signature.ts'

describe('parseRequestJwt', () => {
  it('reads what requestSigner writes', async () => {
    const key = await createSigningKey(keyId)
    const url = 'https://api.example.com/orders?a=1'
    const { authorization } = await requestSigner(key)({ method: 'POST', url, body: '{}' })

    const jwt = parseRequestJwt(authorization)

    expect(jwt).toMatchObject({
      keyId,
      algorithm: 'ES256',
      claims: { keyId, aud: 'https://api.example.com', htm: 'POST', htu: '/orders?a=1' },
    })
    const row = { key: KeyObject.from(key.publicKey), algorithm: 'ES256' as const }
    expect(jwt && verifySignature(jwt, row)).toBe(true)
  })

  it.each([
    ['as it is usual', signed()],
    ['typ JWT', signed({ ...header, typ: 'JWT' })],
    ['a kid and no keyId', signed(header, without(claims, 'keyId'))],
    ['a keyId and no kid', signed(without(header, 'kid'))],
    [
      'white space in its JSON',
      signed(JSON.stringify(header, null, 2), JSON.stringify(claims, null, '\t')),
    ],
    [
      'members that are not asked for',
      signed({ ...header, cty: 'x' }, { ...claims, 'a:b"c': ['d:', { e: '":' }] }),
    ],
    ['text beyond ASCII', signed(header, { ...claims, note: 'grüße 🔑' })],
    ['a key id of 8 characters', signed({ ...header, kid: 'aZ0._-12' }, without(claims, 'keyId'))],
    [
      'a key id of 64 characters',
      signed({ ...header, kid: 'k'.repeat(64) }, without(claims, 'keyId')),
    ],
  ])('takes a token with %s', (_, token) => {
    expect(verifySignature(parsed(token), es256Row)).toBe(true)
  })

  it('takes one header in a list', () => {
    const token = signed()

    expect(parseRequestJwt([bearer(token)])).toEqual(parse(token))
  })

  it.each(['bearer', 'BEARER', 'bEaReR'])(
    'takes the scheme however it is written: %s',
    (scheme) => {
      const token = signed()

      expect(parseRequestJwt(`${scheme} ${token}`)).toEqual(parse(token))
    },
  )

  const short = signed()
  const padding = 'x'.repeat(6000)

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['an empty list', []],
    ['two Authorization headers', [bearer(short), bearer(short)]],
    ['a second header that is empty', [bearer(short), '']],
    ['two headers joined by a comma', `${bearer(short)}, ${bearer(short)}`],
    ['another scheme', `DPoP ${short}`],
    ['no scheme', short],
    ['two spaces', `Bearer  ${short}`],
    ['a tab as separator', `Bearer\t${short}`],
    ['no space', `Bearer${short}`],
    ['a space in front', ` Bearer ${short}`],
    ['a space at the end', `Bearer ${short} `],
    ['CRLF at the end', `Bearer ${short}\r\n`],
    ['a scheme and nothing else', 'Bearer '],
    ['over 8 KiB', bearer(signed(header, { ...claims, padding }))],
    ['a megabyte', bearer('a'.repeat(1 << 20))],
  ])('refuses a header with %s', (_, authorization) => {
    expect(parseRequestJwt(authorization)).toBeNull()
  })

  const [head = '', payload = '', signature = ''] = short.split('.')

  it.each([
    ['no dot', head],
    ['two parts', `${head}.${payload}`],
    ['four parts', `${short}.${signature}`],
    ['five parts, as a JWE has', `${short}.a.b`],
    ['a dot at the end', `${short}.`],
    ['a dot in front', `.${short}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', signParts(head, '')],
    ['an empty signature', `${head}.${payload}.`],
  ])('refuses a token with %s', (_, token) => {
    expect(parse(token)).toBeNull()
  })

  // Each part has both characters that the alphabets differ in, and a length that leaves bits over.
  const letters = '~~~???>>>'
  const unpadded = (part: object) => {
    const text = JSON.stringify(part)
    return base64url(text.length % 3 === 0 ? `${text} ` : text)
  }
  const [h, p] = [unpadded({ ...header, letters }), unpadded({ ...claims, letters })]
  const s = base64url(Buffer.alloc(64, 0xfb))

  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const nextLetter = (letter = '') => alphabet[alphabet.indexOf(letter) + 1] ?? ''
  const looseForms: [string, (part: string) => string][] = [
    // These six are taken by jose.
    ['padding', (part) => part.padEnd(Math.ceil(part.length / 4) * 4, '=')],
    ['the standard alphabet', (part) => part.replaceAll('-', '+').replaceAll('_', '/')],
    ['a space', (part) => `${part.slice(0, 8)} ${part.slice(8)}`],
    ['a line break', (part) => `${part.slice(0, 8)}\r\n${part.slice(8)}`],
    ['a tab', (part) => `${part}\t`],
    ['stray bits', (part) => `${part.slice(0, -1)}${nextLetter(part.at(-1))}`],
    ['one character of the other alphabet', (part) => part.replace('-', '+')],
    ['too much padding', (part) => `${part}====`],
    ['a character of no alphabet', (part) => `${part}!`],
    ['a NUL', (part) => `${part}\0`],
    ['six bits too many', (part) => `${part}${'A'.repeat(5 - (part.length % 4))}`],
  ]

  it.each(looseForms)('refuses base64url with %s, in every part', (_, loose) => {
    expect(parse(`${h}.${p}.${s}`)).not.toBeNull()
    expect(parse(`${loose(h)}.${p}.${s}`)).toBeNull()
    expect(parse(`${h}.${loose(p)}.${s}`)).toBeNull()
    expect(parse(`${h}.${p}.${loose(s)}`)).toBeNull()
  })

  it.each([
    ['none'],
    ['None'],
    ['nOnE'],
    [''],
    [undefined],
    [null],
    ['es256'],
    ['ES256 '],
    ['ES256K'],
    ['ES384'],
    ['ES512'],
    ['EdDSA'],
    ['PS256'],
    ['RS512'],
    ['HS256'],
    [['ES256']],
    [256],
  ])('refuses alg %j', (alg) => {
    expect(parse(signed({ ...header, alg }))).toBeNull()
    const text = `${base64url(JSON.stringify({ ...header, alg }))}.${payload}`
    for (const length of [0, 32, 64, 96, 256]) {
      expect(parse(`${text}.${base64url(Buffer.alloc(length, 1))}`)).toBeNull()
    }
  })

  const { publicKey } = rsa
  const spki = { type: 'spki' } as const
  it.each([
    ['PEM', publicKey.export({ ...spki, format: 'pem' })],
    ['PEM with a line feed in front', `\n${publicKey.export({ ...spki, format: 'pem' })}`],
    ['PEM with a space in front', ` ${publicKey.export({ ...spki, format: 'pem' })}`],
    ['DER', publicKey.export({ ...spki, format: 'der' })],
    ['base64', publicKey.export({ ...spki, format: 'der' }).toString('base64')],
    ['JWK', JSON.stringify(publicKey.export({ format: 'jwk' }))],
  ])('refuses HS256 with the public key as %s for its secret', (_, secret) => {
    const text = `${base64url(JSON.stringify({ ...header, alg: 'HS256' }))}.${payload}`
    const mac = createHmac('sha256', secret).update(text).digest('base64url')

    expect(parse(`${text}.${mac}`)).toBeNull()
  })

  it.each([[undefined], [null], [''], ['jwt'], ['at+jwt'], ['dpop+jwt'], [['JWT']]])(
    'refuses typ %j',
    (typ) => {
      expect(parse(signed({ ...header, typ }))).toBeNull()
    },
  )

  const jwk = ec.publicKey.export({ format: 'jwk' })
  it.each([
    { jwk },
    { jwk: null },
    { jku: 'https://evil.example.com/keys' },
    { x5u: 'https://evil.example.com/certificate' },
    { x5c: ['MIIB'] },
    { crit: ['exp'] },
    { crit: [] },
    { b64: false },
    { b64: true },
  ])('refuses a header with %j', (member) => {
    expect(parse(signed({ ...header, ...member }))).toBeNull()
  })

  it.each([
    ['../../../etc/passwd'],
    ["key-1' or '1'='1"],
    ['device-key\0-1'],
    ['k'.repeat(10_000)],
    ['k'.repeat(65)],
    ['k'.repeat(7)],
    ['devicе-key-1'],
    ['device-key-1\n'],
    ['device key 1'],
    [''],
    [['device-key-1']],
    [{ device: 'key-1' }],
    [12_345_678],
    [true],
    [null],
  ])('refuses the key id %j', (id) => {
    expect(parse(signed({ ...header, kid: id }, without(claims, 'keyId')))).toBeNull()
    expect(parse(signed(without(header, 'kid'), { ...claims, keyId: id }))).toBeNull()
    expect(parse(signed({ ...header, kid: id }))).toBeNull()
    expect(parse(signed(header, { ...claims, keyId: id }))).toBeNull()
  })

  it('refuses a kid and a keyId that differ, and a token with neither', () => {
    expect(parse(signed(header, { ...claims, keyId: 'device-key-2' }))).toBeNull()
    expect(parse(signed(without(header, 'kid'), without(claims, 'keyId')))).toBeNull()
  })

  const twice = (part: object, member: string) => JSON.stringify(part).replace('{', `{${member},`)
  it.each([
    ['alg', signed(twice(header, '"alg":"none"'))],
    ['kid', signed(twice(header, '"kid":"device-key-2"'))],
    ['kid of the same value', signed(twice(header, `"kid":"${keyId}"`))],
    ['keyId', signed(header, twice(claims, '"keyId":"device-key-2"'))],
    ['exp', signed(header, twice(claims, '"exp":9999999999'))],
    ['exp, once escaped', signed(header, twice(claims, String.raw`"\u0065xp":9999999999`))],
    ['htm, with white space', signed(header, twice(claims, '"htm" \n : "GET"'))],
    [
      'jti, behind quotes and colons',
      signed(header, twice(claims, String.raw`"a\":\"b":"c\\\":","jti":"x"`)),
    ],
    ['a member of a member', signed(header, twice(claims, '"cnf":{"a":1,"a":2}'))],
    ['__proto__', signed(header, twice(claims, '"__proto__":{"jti":"abcdefghijklmnop"}'))],
  ])('refuses a token that names %s twice, or at all', (_, token) => {
    expect(parse(token)).toBeNull()
  })

  const json = JSON.stringify(claims)
  it.each([
    ['null', 'null'],
    ['an array', `[${json}]`],
    ['a string', JSON.stringify(json)],
    ['a number', '1'],
    ['nothing', ''],
    ['cut short', json.slice(0, -1)],
    ['followed by more', `${json}{}`],
    ['followed by a comma', json.replace('}', ',}')],
    ['commented', `/* */${json}`],
    ['behind a byte order mark', `\uFEFF${json}`],
    ['in single quotes', json.replaceAll('"', "'")],
    [
      'not UTF-8',
      Buffer.concat([
        Buffer.from(json.slice(0, -1)),
        Buffer.from(',"a":"'),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from('"}'),
      ]),
    ],
    ['UTF-16', Buffer.from(json, 'utf16le')],
    ['nested 2000 deep', json.replace('{', `{"a":${'['.repeat(2000)}${']'.repeat(2000)},`)],
  ])('refuses a payload, or a header, that is %s', (_, text) => {
    expect(parse(signed(header, text))).toBeNull()
    expect(parse(signed(text))).toBeNull()
  })

  const other = (bytes: Uint8Array) => `${head}.${payload}.${base64url(bytes)}`
  const der = sign('sha256', Buffer.from(`${head}.${payload}`), ec.privateKey)
  it.each([
    ['in DER', other(der)],
    ['of 63 bytes', other(Buffer.alloc(63, 1))],
    ['of 65 bytes', other(Buffer.alloc(65, 1))],
    [
      'of 64 bytes and a zero in front',
      other(Buffer.concat([Buffer.alloc(1), es256(`${head}.${payload}`)])),
    ],
    ['of 128 bytes', other(Buffer.alloc(128, 1))],
    ['of an RSA key', other(Buffer.alloc(256, 1))],
  ])('refuses an ES256 signature %s', (_, token) => {
    expect(parse(token)).toBeNull()
  })

  it('refuses an RS256 signature that no key of 2048 to 4096 bits makes', () => {
    const text = `${base64url(JSON.stringify({ ...header, alg: 'RS256' }))}.${payload}`

    for (const length of [64, 128, 255, 513]) {
      expect(parse(`${text}.${base64url(Buffer.alloc(length, 1))}`)).toBeNull()
    }
  })
})
