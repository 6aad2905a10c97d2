import { describe, expect, it } from 'vitest'
import type { AuthenticationResponse } from './fields.ts'
import {
  createTestAuthenticator,
  type TestAuthenticator,
  type TestLies,
} from './testing/test-authenticator.ts'
import {
  challenge,
  creation,
  origin,
  register,
  request,
  rp,
  strict,
  userId,
} from './testing/test-ceremony.ts'
import { forgeriesOf, oddKeys } from './testing/test-odd-keys.ts'
import { assertionOptions, checkAssertion, userHandleOf } from './webauthn.ts'

const userHandle = userHandleOf(userId)

async function passkeyOf(authenticator: TestAuthenticator) {
  const passkey = await register(authenticator)
  if (!passkey) throw new Error('It was refused.')
  return passkey
}

/** A passkey, and a check of what its authenticator signs. */
async function enrolled(traits: Parameters<typeof createTestAuthenticator>[0] = {}) {
  const authenticator = createTestAuthenticator({ origin, ...traits })
  const passkey = await passkeyOf(authenticator)
  const check = (response: AuthenticationResponse, by = rp) =>
    checkAssertion(by, { response, challenge, passkey, userHandle })
  return { authenticator, passkey, check }
}

const signed = { newCounter: 2, backedUp: false, deviceType: 'singleDevice', isUserVerified: true }

describe('assertion', () => {
  it('asks for one of the passkeys that may sign, or for whichever there is', () => {
    expect(request).toEqual({
      challenge,
      timeout: 300_000,
      rpId: 'example.com',
      allowCredentials: [],
      userVerification: 'preferred',
    })
    const allow = [{ credentialId: 'aGVsZA', transports: ['internal'], publicKey: 'never sent' }]
    const asked = { challenge, timeoutMillis: 1, allow, userVerification: 'required' } as const
    expect(assertionOptions(rp, asked)).toMatchObject({
      allowCredentials: [{ id: 'aGVsZA', type: 'public-key', transports: ['internal'] }],
      userVerification: 'required',
    })
  })

  it.each(['ES256', 'EdDSA', 'RS256'] as const)('holds for a key for %s', async (algorithm) => {
    const { authenticator, check } = await enrolled({ algorithm })
    expect(await check(authenticator.sign(request))).toEqual(signed)
  })

  it.each<[string, TestLies]>([
    ['another origin', { origin: 'https://evilexample.com' }],
    ['plain http', { origin: 'http://example.com' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'd'.repeat(43) }],
    ['a registration and not a signature', { type: 'webauthn.create' }],
    ['a frame in another page', { crossOrigin: true }],
    ['no user at the authenticator', { userPresent: false }],
    ['another account', { userHandle: userHandleOf('0192a6b0-3c4d-7e5f-8a9b-0c1d2e3f4a5c') }],
  ])('refuses %s', async (_, lies) => {
    const { authenticator, check } = await enrolled()
    expect(await check(authenticator.sign(request, lies))).toBeNull()
    expect(await check(authenticator.sign(request))).not.toBeNull()
  })

  it('refuses a user who was not verified, where that is required (A-102)', async () => {
    const { authenticator, check } = await enrolled()
    const response = authenticator.sign(request, { userVerified: false })
    expect(await check(response)).toEqual({ ...signed, isUserVerified: false })
    expect(await check(response, strict)).toBeNull()
  })

  it('refuses a response in which any one bit of a signed part was turned', async () => {
    // Every bit of it counts; an ES256 signature is in DER, which is read with lengths that are wrong.
    const { authenticator, check } = await enrolled({ algorithm: 'EdDSA' })
    const { response, ...rest } = authenticator.sign(request)
    for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
      const bytes = Buffer.from(response[part], 'base64url')
      for (const [at, byte] of bytes.entries()) {
        const turned = Buffer.from(bytes)
        turned[at] = byte ^ (1 << (at % 8))
        const mutated = { ...response, [part]: turned.toString('base64url') }
        expect(await check({ ...rest, response: mutated }), `${part} ${at}`).toBeNull()
      }
    }
    expect(await check({ ...rest, response })).toEqual(signed)
  })

  it('refuses a counter that did not rise: there is a copy', async () => {
    const { authenticator, passkey, check } = await enrolled()
    const copy = authenticator.clone()
    const first = await check(authenticator.sign(request))
    expect(first).toMatchObject({ newCounter: 2 })
    const seen = { ...passkey, counter: 2 }
    const late = copy.sign(request)
    const asked = { challenge, passkey: seen, userHandle }
    expect(await checkAssertion(rp, { ...asked, response: late })).toBeNull()
    const zero = authenticator.sign(request, { counter: 0 })
    expect(await checkAssertion(rp, { ...asked, response: zero })).toBeNull()
    const next = authenticator.sign(request)
    expect(await checkAssertion(rp, { ...asked, response: next })).toMatchObject({ newCounter: 4 })
  })

  it('lets one that does not count say zero every time', async () => {
    const { authenticator, check } = await enrolled({ counter: 'zero' })
    for (const _ of [1, 2]) {
      expect(await check(authenticator.sign(request))).toEqual({
        ...signed,
        newCounter: 0,
        deviceType: 'multiDevice',
        backedUp: true,
      })
    }
  })

  it('counts to four milliards, as authenticators do', async () => {
    const { authenticator, check } = await enrolled()
    for (const newCounter of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) {
      const response = authenticator.sign(request, { counter: newCounter })
      expect(await check(response)).toEqual({ ...signed, newCounter })
    }
  })

  it('refuses one that may be synced and could not when it was made, or the other way round', async () => {
    const alone = await enrolled()
    const synced = await enrolled({ counter: 'zero' })
    const eligible = { eligible: true, state: false }
    const none = { eligible: false, state: false }
    expect(await alone.check(alone.authenticator.sign(request, { backup: eligible }))).toBeNull()
    expect(await synced.check(synced.authenticator.sign(request, { backup: none }))).toBeNull()
    // Whether it is synced by now may change.
    const local = synced.authenticator.sign(request, { backup: eligible })
    expect(await synced.check(local)).toMatchObject({ backedUp: false, deviceType: 'multiDevice' })
  })

  it('refuses one that is synced and cannot be', async () => {
    const backup = { eligible: false, state: true }
    const { authenticator, check } = await enrolled()
    expect(await check(authenticator.sign(request, { backup }))).toBeNull()
    expect(await register(createTestAuthenticator({ origin }), { backup })).toBeNull()
  })

  it.each(oddKeys)('holds for no stored key that is none: %s', async (_, key) => {
    const { authenticator, passkey } = await enrolled()
    const odd = { ...passkey, publicKey: key.toString('base64url') }
    const { response, ...rest } = authenticator.sign(request)
    const forgeries = forgeriesOf({ response, ...rest })
    for (const signature of forgeries.map((bytes) => bytes.toString('base64url'))) {
      const asked = { challenge, passkey: odd, userHandle }
      const forged = { ...rest, response: { ...response, signature } }
      expect(await checkAssertion(rp, { ...asked, response: forged })).toBeNull()
    }
  })

  it('refuses what is signed behind the end, and what ends early', async () => {
    const { authenticator, check } = await enrolled()
    const extensions = Buffer.from('a16b6372656450726f7465637402', 'hex')
    for (const behind of [Buffer.from([0]), Buffer.from([0xa0]), extensions]) {
      expect(await check(authenticator.sign(request, { behind }))).toBeNull()
    }
    const extended = { behind: extensions, hasExtensions: true }
    expect(await check(authenticator.sign(request, extended))).toEqual({ ...signed, newCounter: 5 })
    // The second announces two bytes for its last member, and has one.
    for (const cut of [extensions.subarray(0, -3), Buffer.from('a161614201', 'hex')]) {
      const lies = { behind: cut, hasExtensions: true }
      expect(await check(authenticator.sign(request, lies))).toBeNull()
    }
    const more = { behind: Buffer.concat([extensions, Buffer.from([0])]), hasExtensions: true }
    expect(await check(authenticator.sign(request, more))).toBeNull()
  })

  it('refuses another passkey’s signature under this one’s id, and this one’s under another', async () => {
    const { authenticator, passkey, check } = await enrolled()
    const other = authenticator.register(creation)
    const forged = { ...authenticator.sign(request, { credentialId: other.id }) }
    expect(await check(forged)).toBeNull()
    const { credentialId: id } = passkey
    expect(await check({ ...forged, id, rawId: id })).toBeNull()
    const own = authenticator.sign(request, { credentialId: id })
    expect(await check({ ...own, id: other.id, rawId: other.id })).toBeNull()
  })

  it('must name the account where the request did not', async () => {
    const { authenticator, passkey, check } = await enrolled()
    const silent = authenticator.sign(request, { userHandle: null })
    expect(await check(silent)).not.toBeNull()
    const asked = { challenge, passkey, userHandle, isDiscoverable: true }
    expect(await checkAssertion(rp, { ...asked, response: silent })).toBeNull()
    const named = authenticator.sign(request)
    expect(await checkAssertion(rp, { ...asked, response: named })).not.toBeNull()
  })

  it('refuses garbage in each of its parts, and a stored key that is none', async () => {
    const { authenticator, passkey, check } = await enrolled()
    const { response, ...rest } = authenticator.sign(request)
    for (const part of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
      for (const garbage of ['', 'AAAA', 'bnVsbA', 'W10', '=', 'é', 'A'.repeat(40_000)]) {
        const broken = { ...rest, response: { ...response, [part]: garbage } }
        expect(await check(broken), `${part} ${garbage.slice(0, 9)}`).toBeNull()
      }
    }
    const broken = { ...passkey, publicKey: 'AAAA' }
    const asked = { challenge, passkey: broken, userHandle }
    expect(await checkAssertion(rp, { ...asked, response: { ...rest, response } })).toBeNull()
  })
})
