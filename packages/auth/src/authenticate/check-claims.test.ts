import { createHash } from 'node:crypto'
import { requestSigner } from '@svc/core/client'
import { HttpError } from '@svc/core/contract'
import { createSigningKey } from '@svc/core/testing'
import { describe, expect, it } from 'vitest'
import { parseRequestJwt } from '../crypto/crypto.ts'
import { checkClaims, type ReceivedRequest } from './check-claims.ts'

const second = 1_700_000_000
const bodyHash = createHash('sha256').update('{"a":1}').digest('base64url')

const claims = {
  keyId: 'device-key-1',
  iat: second,
  exp: second + 60,
  jti: 'abcdefghijklmnop',
  aud: 'https://api.example.com',
  htm: 'POST',
  htu: '/orders?a=1&b=%20',
  bh: bodyHash,
}

const request: ReceivedRequest = {
  now: new Date(second * 1000),
  binding: 'strict',
  method: 'POST',
  target: '/orders?a=1&b=%20',
  audiences: new Set(['https://api.example.com', 'http://localhost:8790']),
  bodyHash,
}

const lenient: ReceivedRequest = { ...request, binding: 'bearer' }
const at = (seconds: number) => ({ ...request, now: new Date((second + seconds) * 1000) })

const check = (change: object, received: ReceivedRequest = request) =>
  checkClaims({ claims: { ...claims, ...change } }, received)

/** The refusal, and the claim it names. */
function refusal(change: object, received?: ReceivedRequest) {
  try {
    check(change, received)
    return null
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    expect(error.status).toBe(401)
    return [error.name, ...Object.values(error.publicFields)].join(' ')
  }
}

const binding = (claim: string) => `RequestBindingError ${claim}`

describe('checkClaims', () => {
  it('takes what requestSigner writes', async () => {
    const sign = requestSigner(await createSigningKey('device-key-1'))
    const url = 'https://api.example.com/orders?a=1&b=%20'
    const { authorization } = await sign({ method: 'POST', url, body: '{"a":1}' })
    const jwt = parseRequestJwt(authorization)

    const spendable = jwt && checkClaims(jwt, { ...request, now: new Date() })

    expect(spendable?.jti).toMatch(/^[\w-]{22}$/)
    expect(spendable?.expiresAt.getTime()).toBeGreaterThan(Date.now())
  })

  it('answers what replay protection keeps', () => {
    expect(check({})).toEqual({
      jti: 'abcdefghijklmnop',
      issuedAt: new Date(second * 1000),
      expiresAt: new Date((second + 60) * 1000),
    })
  })

  it.each(['iat', 'exp', 'jti', 'aud', 'htm', 'htu', 'bh'])('asks for %s', (claim) => {
    expect(refusal({ [claim]: undefined })).toBe(binding(claim))
  })

  it.each([
    null,
    '',
    String(second),
    second + 0.5,
    -1,
    -second,
    [second],
    { seconds: second },
    true,
    second * 1000,
    2 ** 53,
    1e300,
  ])('refuses %j as a moment', (moment) => {
    for (const claim of ['iat', 'exp', 'nbf']) {
      expect(refusal({ [claim]: moment })).toMatch(
        /^(RequestBindingError (iat|exp|nbf)|TokenExpiredError)$/,
      )
      expect(refusal({ [claim]: moment }, lenient)).not.toBeNull()
    }
  })
})

describe('the life of a token', () => {
  it('ends at its exp, and a moment equal to it is expired', () => {
    expect(refusal({}, at(59.999))).toBeNull()
    expect(refusal({}, at(60))).toBe('TokenExpiredError')
    expect(refusal({}, at(3600))).toBe('TokenExpiredError')
  })

  it('is at most 300 seconds', () => {
    expect(refusal({ exp: second + 300 })).toBeNull()
    expect(refusal({ exp: second + 301 })).toBe(binding('exp'))
    expect(refusal({ exp: Number.MAX_SAFE_INTEGER })).toBe(binding('exp'))
  })

  it('is at most 15 minutes where binding is off', () => {
    expect(refusal({ exp: second + 900 }, lenient)).toBeNull()
    expect(refusal({ exp: second + 901 }, lenient)).toBe(binding('exp'))
    expect(refusal({ exp: undefined }, lenient)).toBe(binding('exp'))
    expect(refusal({ iat: undefined }, lenient)).toBe(binding('iat'))
  })

  it('may begin up to 30 seconds in the future', () => {
    expect(refusal({ iat: second + 30 })).toBeNull()
    expect(refusal({ iat: second + 31 })).toBe(binding('iat'))
    expect(refusal({ nbf: second + 30 })).toBeNull()
    expect(refusal({ nbf: second + 31 })).toBe(binding('nbf'))
  })

  it('does not end before it begins', () => {
    expect(refusal({ iat: second + 20, exp: second + 10 })).toBe(binding('exp'))
    expect(refusal({ iat: second + 20, exp: second + 20 })).toBe(binding('exp'))
  })

  it('refuses a token of a clock that is five minutes off', () => {
    expect(refusal({}, at(300))).toBe('TokenExpiredError')
    expect(refusal({}, at(-300))).toBe(binding('iat'))
  })
})

describe('the binding of a token', () => {
  const wrong: [claim: string, what: string, value: unknown][] = [
    ['aud', 'another origin', 'https://evil.example.com'],
    ['aud', 'a trailing slash', 'https://api.example.com/'],
    ['aud', 'another scheme', 'http://api.example.com'],
    ['aud', 'another case', 'https://API.example.com'],
    ['aud', 'the host alone', 'api.example.com'],
    ['aud', 'a list with the right one', ['https://api.example.com']],
    ['aud', 'nothing', ''],
    ['aud', 'null', null],
    ['htm', 'another method', 'GET'],
    ['htm', 'another case', 'post'],
    ['htm', 'a list', ['POST']],
    ['htm', 'null', null],
    ['htu', 'another path', '/admin?a=1&b=%20'],
    ['htu', 'no query', '/orders'],
    ['htu', 'another query', '/orders?a=2&b=%20'],
    ['htu', 'another order of the query', '/orders?b=%20&a=1'],
    ['htu', 'another encoding', '/orders?a=1&b=+'],
    ['htu', 'a trailing slash', '/orders/?a=1&b=%20'],
    ['htu', 'an absolute address', 'https://api.example.com/orders?a=1&b=%20'],
    ['htu', 'null', null],
    ['bh', 'the hash of another body', createHash('sha256').update('{"a":2}').digest('base64url')],
    ['bh', 'the hash of no body', createHash('sha256').digest('base64url')],
    ['bh', 'hex', Buffer.from(bodyHash, 'base64url').toString('hex')],
    ['bh', 'padding', `${bodyHash}=`],
    ['bh', 'null', null],
    ['jti', '15 characters', 'a'.repeat(15)],
    ['jti', '129 characters', 'a'.repeat(129)],
    ['jti', 'a space', 'abcdefgh ijklmnop'],
    ['jti', 'a NUL', 'abcdefgh\0ijklmnop'],
    ['jti', 'a line feed at the end', 'abcdefghijklmnop\n'],
    ['jti', 'half a character', 'abcdefghijklmnop\ud800'],
    ['jti', 'a number', 1_234_567_890_123_456],
    ['jti', 'a list', ['abcdefghijklmnop']],
    ['jti', 'null', null],
  ]

  it.each(wrong)('refuses as %s %s, with or without strict binding', (claim, _, value) => {
    expect(refusal({ [claim]: value })).toBe(binding(claim))
    expect(refusal({ [claim]: value }, lenient)).toBe(binding(claim))
  })

  it('takes any of the configured origins, and a jti of 128 characters', () => {
    expect(refusal({ aud: 'http://localhost:8790', jti: '~'.repeat(128) })).toBeNull()
  })

  it('refuses the token of one request at another', () => {
    expect(refusal({}, { ...request, method: 'PUT' })).toBe(binding('htm'))
    expect(refusal({}, { ...request, target: '/orders' })).toBe(binding('htu'))
    expect(refusal({}, { ...request, audiences: new Set() })).toBe(binding('aud'))
    expect(refusal({}, { ...request, bodyHash: '' })).toBe(binding('bh'))
  })

  it('asks for no more than a life where it is off', () => {
    const { iat, exp } = claims

    expect(checkClaims({ claims: { iat, exp } }, lenient)).toEqual({
      jti: null,
      issuedAt: new Date(iat * 1000),
      expiresAt: new Date(exp * 1000),
    })
  })

  it('tells a developer which claim was refused, and no value', () => {
    try {
      check({ htu: '/secret-path' })
    } catch (error) {
      const { message, publicFields } = error as HttpError
      expect(publicFields).toEqual({ claim: 'htu' })
      expect(message).toContain('"htu"')
      expect(message).not.toMatch(/secret|orders/)
    }
    expect.assertions(3)
  })
})
