import { generateKeyPairSync, sign } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isProofOfMessage,
  proofOfMessage,
  readMessageSignature,
  readProofOfMessage,
} from './message-signatures.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const signature = (bytes = 64) => `:${Buffer.alloc(bytes, 7).toString('base64')}:`
const input =
  '("@method" "@target-uri");created=1;keyid="key-of-a-test";nonce="0123456789abcdef";tag="svc"'

/** What is read of these two headers. */
const read = (inputs: string | string[], signatures: string | string[] = `sig1=${signature()}`) =>
  readMessageSignature({
    method: 'GET',
    target: '/me',
    origin: 'https://api.example.com',
    fields: { 'signature-input': [inputs].flat(), signature: [signatures].flat() },
  })

describe('the headers of a message signature', () => {
  it.each<[string, string | string[], string | string[]]>([
    ['as they are usual', `sig1=${input}`, `sig1=${signature()}`],
    [
      'in more lines than one',
      [`a=("@method");tag="x"`, `sig1=${input}`],
      [`a=:AA==:`, `sig1=${signature()}`],
    ],
    [
      'with white space where it may be',
      `a=( "@method"  );tag="x"\t,  sig1=${input} `,
      `  sig1=${signature()} ,a=:AA==:`,
    ],
    ['with an algorithm', `sig1=${input};alg="ecdsa-p256-sha256"`, `sig1=${signature()}`],
    ['of RSA', `sig1=${input};alg="rsa-v1_5-sha256"`, `sig1=${signature(256)}`],
  ])('are read %s', (_, inputs, signatures) => {
    expect(read(inputs, signatures)).toMatchObject({
      keyId: 'key-of-a-test',
      created: 1,
      covers: new Set(['@method', '@target-uri']),
      signed: expect.stringContaining(
        '"@method": GET\n"@target-uri": https://api.example.com/me\n',
      ),
    })
  })

  it.each<[string, string | string[], (string | string[])?]>([
    ['with no label', input],
    ['with a label in upper case', `Sig1=${input}`],
    ['with a label twice', `sig1=${input}, sig1=${input}`],
    ['with a label twice, in two lines', [`sig1=${input}`, `sig1=${input}`]],
    [
      'with a label twice in the signatures',
      `sig1=${input}`,
      `sig1=${signature()}, sig1=${signature()}`,
    ],
    ['without a signature', `sig1=${input}`, ''],
    ['with another label', `sig1=${input}`, `sig2=${signature()}`],
    ['with a signature more', `sig1=${input}`, `sig1=${signature()}, sig2=${signature()}`],
    ['with an input more', `sig1=${input}, a=("@method");tag="x"`],
    [
      'with two of ours',
      `sig1=${input}, sig2=${input}`,
      `sig1=${signature()}, sig2=${signature()}`,
    ],
    ['with a comma at the end', `sig1=${input},`],
    ['with a parameter twice', `sig1=${input};created=1`],
    ['with a parameter that is unknown', `sig1=${input};crit="x"`],
    ['with a time that is a fraction', `sig1=${input.replace('=1;', '=1.0;')}`],
    ['with a time that begins with 0', `sig1=${input.replace('=1;', '=01;')}`],
    ['with a key id that is a token', `sig1=${input.replace('"key-of-a-test"', 'key-of-a-test')}`],
    ['with a key id that can be none', `sig1=${input.replace('key-of-a-test', 'a b')}`],
    ['without a key id', `sig1=${input.replace(';keyid="key-of-a-test"', '')}`],
    ['of an item in place of a list', `sig1="@method";tag="svc";keyid="key-of-a-test"`],
    ['with an algorithm that the signature is not of', `sig1=${input};alg="rsa-v1_5-sha256"`],
    ['with an algorithm that no key has', `sig1=${input};alg="hmac-sha256"`],
    ['with an algorithm that is a token', `sig1=${input};alg=ecdsa-p256-sha256`],
    ['with a signature of 63 bytes', `sig1=${input}`, `sig1=${signature(63)}`],
    ['with a signature of no bytes', `sig1=${input}`, 'sig1=::'],
    ['with a signature of 513 bytes', `sig1=${input}`, `sig1=${signature(513)}`],
    ['with a signature that is text', `sig1=${input}`, 'sig1="x"'],
    ['with a signature that has parameters', `sig1=${input}`, `sig1=${signature()};a`],
    [
      'with stray bits in base64',
      `sig1=${input}`,
      `sig1=${signature().replace('==', '=').replace('=:', ':')}`,
    ],
    ['with base64url', `sig1=${input}`, `sig1=:${Buffer.alloc(64, 255).toString('base64url')}==:`],
    ['that are too long', `sig1=${input};alg="${'x'.repeat(8192)}"`],
    ['that are not ASCII', `sig1=${input.replace('0123', 'ü123')}`],
  ])('are refused %s', (_, inputs, signatures) => {
    expect(read(inputs, signatures)).toBeNull()
  })

  it('that are not tagged as ours are not read', () => {
    expect(read(`sig1=${input.replace('"svc"', '"other"')}`)).toBeUndefined()
    expect(read(`sig1=${input.replace('"svc"', 'svc')}`)).toBeUndefined()
    expect(read('sig1=("@method")', 'no dictionary')).toBeUndefined()
  })

  const piece = fc.constantFrom(
    'sig1',
    '=',
    '(',
    ')',
    ';',
    '"',
    ',',
    ' ',
    ':',
    '\\',
    '?1',
    '@1',
    '%"',
    '-',
    '.',
    '1',
    'tag="svc"',
    '"@method"',
    'keyid="key-of-a-test"',
    'ü',
    '\0',
  )
  const anything = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
    fc
      .nat(input.length)
      .chain((at) => piece.map((other) => `sig1=${input.slice(0, at)}${other}${input.slice(at)}`)),
  )
  it('are read or refused, and cause no other error', () => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 3 }),
        fc.array(anything, { maxLength: 3 }),
        (inputs, signatures) => {
          const found = read(inputs, [...signatures])
          if (found) expect(found.signed).toContain('tag="svc"')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('cannot be changed in a byte: what is read is another signature, or none', () => {
    const signed = read(`sig1=${input}`)?.signed
    fc.assert(
      fc.property(fc.nat(input.length - 1), fc.integer({ min: 32, max: 126 }), (at, code) => {
        const other = `${input.slice(0, at)}${String.fromCharCode(code)}${input.slice(at + 1)}`
        fc.pre(other !== input)
        expect(read(`sig1=${other}`)?.signed).not.toBe(signed)
      }),
    )
  })
})

describe('what the trail keeps of it', () => {
  it('is read as what was signed, and with which key', () => {
    const found = read(`sig1=${input}`)
    if (!found) throw new Error('It was refused.')
    const bytes = sign('sha256', Buffer.from(found.signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    const kept = proofOfMessage({ ...found, signature: bytes })
    expect(isProofOfMessage(kept)).toBe(true)
    const { keyId, signed, algorithm } = found
    expect(readProofOfMessage(kept)).toEqual({ keyId, signed, algorithm, signature: bytes })
  })

  it('is none if another text is in its place', () => {
    for (const text of ['', 'x', `"@method": GET\n${Buffer.alloc(64).toString('base64')}`])
      expect(readProofOfMessage(`rfc9421\n${text}`)).toBeNull()
  })
})
