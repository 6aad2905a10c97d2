import { generateKeyPairSync, type webcrypto } from 'node:crypto'
import { createVirtualClock } from '@svc/core/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startOpenIdServer } from '../testing/test-openid-server.ts'
import { ProviderUnavailableError } from './ask-provider.ts'
import { createKeySets } from './key-sets.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
const jwksUri = `${server.issuer}/jwks`
const key = { kid: 'rsa', alg: 'RS256' as const }

afterEach(() => {
  server.misbehave(null)
  server.publishKeys(null)
})

/** The keys as a service begins with them, and how often the provider was asked since. */
function begin() {
  const clock = createVirtualClock()
  const keys = createKeySets(clock)
  const before = server.timesAsked('/jwks')
  return {
    clock,
    find: (wanted: { kid?: string; alg: 'RS256' | 'ES256' } = key) =>
      keys.find(jwksUri, { kid: undefined, ...wanted }),
    timesAsked: () => server.timesAsked('/jwks') - before,
  }
}

describe('the keys of a provider', () => {
  it('are asked for once, however many want one', async () => {
    const { find, timesAsked } = begin()
    const found = await Promise.all(Array.from({ length: 20 }, () => find()))

    expect(found.every((each) => each?.asymmetricKeyType === 'rsa')).toBe(true)
    expect((await find({ kid: 'ec', alg: 'ES256' }))?.asymmetricKeyType).toBe('ec')
    expect(timesAsked()).toBe(1)
  })

  it('are asked for once in thirty seconds by a flood of unknown key ids (F20)', async () => {
    const { find, clock, timesAsked } = begin()
    await find()
    const flood = () =>
      Promise.all(Array.from({ length: 100 }, (_, i) => find({ kid: `no-${i}`, alg: 'RS256' })))

    clock.advance('29s')
    await flood()
    expect(timesAsked()).toBe(1)
    clock.advance('1s')
    expect(new Set(await flood())).toEqual(new Set([null]))
    await flood()
    expect(timesAsked()).toBe(2)
  })

  it('include one that the provider has just begun to use', async () => {
    const { find, clock, timesAsked } = begin()
    await find()
    await server.addKey('newer')
    clock.advance('30s')

    expect(await find({ kid: 'newer', alg: 'RS256' })).not.toBeNull()
    expect(timesAsked()).toBe(2)
  })

  it('are asked for again after ten minutes', async () => {
    const { find, clock, timesAsked } = begin()
    await find()
    clock.advance('9m')
    await find()
    expect(timesAsked()).toBe(1)
    clock.advance('1m')
    await find()
    expect(timesAsked()).toBe(2)
  })

  it.for(['down', 'huge', 'failing', 'limited', 'redirecting', 'not json', 'other json'] as const)(
    'stay known for a day while the provider is %s (F20)',
    async (how) => {
      const { find, clock, timesAsked } = begin()
      await find()
      server.misbehave(how)
      clock.advance('10m')
      expect(await Promise.all([find(), find(), find()])).not.toContain(null)
      expect(timesAsked()).toBe(2)

      clock.advance('23h')
      expect(await find()).not.toBeNull()
      clock.advance('51m')
      await expect(find()).rejects.toThrow(ProviderUnavailableError)

      server.misbehave(null)
      clock.advance('30s')
      expect(await find()).not.toBeNull()
    },
  )

  it('stay known while the provider is slow, and no caller waits for five seconds (F20)', async () => {
    const { find, clock } = begin()
    await find()
    server.misbehave('slow')
    clock.advance('10m')
    const started = performance.now()

    expect(await Promise.all([find(), find(), find()])).not.toContain(null)
    expect(await find()).not.toBeNull()
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('are wanted in vain while the provider has never answered, which is not asked each time', async () => {
    const { find, clock, timesAsked } = begin()
    server.misbehave('down')
    const all = await Promise.allSettled([find(), find(), find()])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expect(find()).rejects.toThrow(ProviderUnavailableError)
    expect(timesAsked()).toBe(1)

    server.misbehave(null)
    clock.advance('30s')
    expect(await find()).not.toBeNull()
  })

  it('may include an unknown one that the provider cannot be asked about: that is no refusal', async () => {
    const { find, clock } = begin()
    await find()
    const unknown = { kid: 'unknown', alg: 'RS256' as const }
    expect(await find(unknown)).toBeNull()
    server.misbehave('down')
    clock.advance('30s')
    await expect(find(unknown)).rejects.toThrow(ProviderUnavailableError)
    await expect(find(unknown)).rejects.toThrow(ProviderUnavailableError)
    expect(await find()).not.toBeNull()
  })

  it('are read as far as a provider has any: thousands do not hold up the event loop', async () => {
    const { find } = begin()
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' })
    server.publishKeys(Array.from({ length: 2000 }, (_, at) => ({ ...jwk, kid: `key-${at}` })))
    const started = performance.now()
    expect(await find({ kid: 'key-99', alg: 'RS256' })).not.toBeNull()
    expect(await find({ kid: 'key-100', alg: 'RS256' })).toBeNull()
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('tell apart one that is not named only where there is one for the algorithm', async () => {
    const { find } = begin()
    expect(await find({ alg: 'ES256' })).not.toBeNull()
    await server.addKey('second')
    const { find: findLater } = begin()
    expect(await findLater({ alg: 'RS256' })).toBeNull()
  })
})

describe('a key that a provider publishes', () => {
  const rsa = (modulusLength: number, publicExponent = 65537) =>
    generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey
  const good = rsa(2048).export({ format: 'jwk' })
  const onCurve = ec('P-256').export({ format: 'jwk' })

  const unsound: [string, webcrypto.JsonWebKey | null | string][] = [
    ['an RSA key of 1024 bits', rsa(1024).export({ format: 'jwk' })],
    ['an RSA key with exponent 1', { ...good, e: 'AQ' }],
    ['an RSA key with exponent 3', rsa(2048, 3).export({ format: 'jwk' })],
    ['an RSA key with an even exponent', { ...good, e: 'AQAC' }],
    ['an RSA key of 16384 bits', { ...good, n: Buffer.alloc(2048, 0xff).toString('base64url') }],
    ['an RSA key for encryption', { ...good, use: 'enc' }],
    ['an RSA key for another algorithm', { ...good, alg: 'PS256' }],
    ['a key on P-384', ec('P-384').export({ format: 'jwk' })],
    ['a key off the curve', { ...onCurve, y: onCurve.x ?? '' }],
    ['a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['an Ed25519 key', generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })],
    ['nothing', null],
    ['text', 'rsa'],
  ]

  it.each(unsound)('is passed over if it is %s', async (_, jwk) => {
    const named = typeof jwk === 'object' && jwk !== null ? { ...jwk, kid: 'unsound' } : jwk
    server.publishKeys([named, { ...good, kid: 'good' }])
    const { find } = begin()

    expect(await find({ kid: 'good', alg: 'RS256' })).not.toBeNull()
    expect(await find({ kid: 'unsound', alg: 'RS256' })).toBeNull()
    expect(await find({ kid: 'unsound', alg: 'ES256' })).toBeNull()

    server.publishKeys([named])
    await expect(begin().find()).rejects.toThrow('no key to verify with')
  })
})
