import { createPublicKey, verify } from 'node:crypto'
import { type InnerList, parseList } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import { verifySignature } from '../crypto/crypto.ts'
import { type ReceivedMessage, signatureBase } from './signature-base.ts'
import {
  bases,
  ofEd25519,
  ofProxy,
  ofResponse,
  ofTwo,
  testKeyEccP256,
  testKeyEd25519,
  testKeyRsa,
  testRequest,
  transformed,
} from './testing/rfc9421.ts'

const keyOf = (spki: string) =>
  createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' })
const bytes = (text: string) => Buffer.from(text, 'base64')

function baseOf(message: ReceivedMessage, input: string) {
  const [list] = parseList(input)
  return signatureBase(message, list as InnerList)
}

/** What is in the last line. */
const inputOf = (base: string) => base.slice(base.lastIndexOf('\n') + 1).replace(/^[^:]+: /, '')

const isByP256 = (signed: string, signature: string) =>
  verifySignature(
    { algorithm: 'ES256', signed, signature: bytes(signature) },
    { key: keyOf(testKeyEccP256), algorithm: 'ES256' },
  )

describe('the examples of RFC 9421, appendix B', () => {
  it.each(Object.entries(bases))('%s has this signature base', (_, base) => {
    expect(baseOf(testRequest, inputOf(base))).toBe(base)
  })

  it('B.2.2 signs one parameter of a query, which is not known here', () => {
    const input = '("@authority" "content-digest" "@query-param";name="Pet");created=1618884473'
    expect(baseOf(testRequest, input)).toBeNull()
  })

  it('B.2.4 is signed by ecdsa-p256-sha256', () => {
    expect(isByP256(ofResponse.base, ofResponse.signature)).toBe(true)
    expect(isByP256(ofResponse.base.replace('200', '201'), ofResponse.signature)).toBe(false)
  })

  it('B.2.6 is signed by ed25519', () => {
    const base = baseOf(testRequest, inputOf(bases['B.2.6'])) ?? ''
    expect(verify(null, Buffer.from(base), keyOf(testKeyEd25519), bytes(ofEd25519))).toBe(true)
  })

  it('B.3 is signed by ecdsa-p256-sha256, by a proxy', () => {
    const { request, input, base, signature } = ofProxy
    expect(baseOf(request, input)).toBe(base)
    expect(isByP256(base, signature)).toBe(true)
    const elsewhere = { ...request, origin: 'https://example.com' }
    expect(isByP256(baseOf(elsewhere, input) ?? '', signature)).toBe(false)
  })

  it.each<[string, boolean, Partial<ReceivedMessage>]>([
    ['nothing', true, {}],
    [
      'a parameter that is added to the query',
      true,
      { target: '/demo?name1=Value1&Name2=value2&param=added' },
    ],
    [
      'headers that are not signed',
      true,
      { fields: { accept: ['application/json', '*/*'], referer: ['x'] } },
    ],
    ['two lines that became one', true, { fields: { accept: ['application/json, */*'] } }],
    ['another method and host', false, { method: 'POST', origin: 'https://example.com' }],
    ['the order of a header', false, { fields: { accept: ['*/*', 'application/json'] } }],
  ])('B.4 is changed by %s: still signed is %s', (_, isSigned, change) => {
    const base = baseOf({ ...transformed.request, ...change }, transformed.input) ?? ''
    const key = keyOf(testKeyEd25519)
    expect(verify(null, Buffer.from(base), key, bytes(transformed.signature))).toBe(isSigned)
  })
})

describe('the examples of RFC 9421, section 4.3', () => {
  it('are signed by ecdsa-p256-sha256 by a client, and by rsa-v1_5-sha256 by its proxy', () => {
    const { client, proxy } = ofTwo
    expect(isByP256(baseOf(testRequest, client.input) ?? '', client.signature)).toBe(true)
    const { origin, forwarded } = proxy
    const fields = { ...testRequest.fields, forwarded: [forwarded] }
    const base = baseOf({ ...testRequest, origin, fields }, proxy.input) ?? ''
    const isByRsa = (signed: string) =>
      verifySignature(
        { algorithm: 'RS256', signed, signature: bytes(proxy.signature) },
        { key: createPublicKey(testKeyRsa), algorithm: 'RS256' },
      )
    expect(isByRsa(base)).toBe(true)
    expect(isByRsa(base.replace('192.0.2.123', '192.0.2.124'))).toBe(false)
  })
})

describe('a signature base (RFC 9421, section 2)', () => {
  const field = (lines: string[]) => ({ ...testRequest, fields: { 'x-a': lines } })
  it('joins the lines of a header, without the white space around them', () => {
    expect(baseOf(field(['  a', 'b  ', '', '\tc d\t']), '("x-a")')).toContain(
      '"x-a": a, b, , c d\n',
    )
    expect(baseOf(field(['']), '("x-a")')).toContain('"x-a": \n')
  })

  it.each<[string, string, string]>([
    ['@target-uri', 'https://example.com', 'https://example.com/foo?a=%2F&b='],
    ['@authority', 'https://example.com', 'example.com'],
    ['@authority', 'https://example.com:8443', 'example.com:8443'],
    ['@authority', 'http://EXAMPLE.com:80', 'example.com'],
    ['@scheme', 'https://example.com', 'https'],
    ['@request-target', 'https://example.com', '/foo?a=%2F&b='],
    ['@path', 'https://example.com', '/foo'],
    ['@query', 'https://example.com', '?a=%2F&b='],
  ])('derives %s of %s', (name, origin, value) => {
    const message = { ...testRequest, origin: new URL(origin).origin, target: '/foo?a=%2F&b=' }
    expect(baseOf(message, `("${name}")`)?.split('\n')[0]).toBe(`"${name}": ${value}`)
  })

  it('has a question mark for a query that is not there, or empty', () => {
    for (const target of ['/foo', '/foo?'])
      expect(baseOf({ ...testRequest, target }, '("@query")')).toMatch(/^"@query": \?\n/)
    expect(baseOf({ ...testRequest, target: '/f%6Fo' }, '("@path")')).toMatch(/^"@path": \/f%6Fo\n/)
  })

  it.each([
    ['@status', '("@status")'],
    ['@signature-params', '("@signature-params")'],
    ['a component that is unknown', '("@unknown")'],
    ['a member of every object', '("@method" "constructor")'],
    ['a header that is not there', '("x-missing")'],
    ['a name in upper case', '("Date")'],
    ['one component twice', '("@method" "@method")'],
    ['sf', '("content-digest";sf)'],
    ['bs', '("date";bs)'],
    ['a member', '("content-digest";key="sha-512")'],
    ['a trailer', '("date";tr)'],
    ['what is of the request of a response', '("@method";req)'],
    ['a name that is no text', '(date)'],
    ['a name that would be two lines', '("@method\\": x")'],
  ])('is not made with %s', (_, input) => {
    expect(baseOf(testRequest, input)).toBeNull()
  })

  it('is not made of what is not plain text, or of a target that names a server', () => {
    for (const value of ['ü', 'a\nb', 'a\rb', 'a\0b'])
      expect(baseOf(field([value]), '("x-a")'), value).toBeNull()
    for (const target of ['*', 'http://example.com/foo', '/foo\n"x-a": b', '/fü'])
      expect(baseOf({ ...testRequest, target }, '("@path")')).toBeNull()
  })
})
