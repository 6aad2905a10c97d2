import { describe, expect, it } from 'vitest'
import { assertionOptions, checkAssertion } from './assertion.ts'
import { challengeOf } from './client-data.ts'
import { checkRegistration, registrationOptions } from './registration.ts'
import type { RelyingParty } from './relying-party.ts'
import type { AuthenticationResponse } from './response-schemas.ts'
import {
  createTestAuthenticator,
  type TestAuthenticator,
  type TestLies,
} from './test-authenticator.ts'
import { cbor } from './test-cbor.ts'
import { userHandleOf } from './user-handle.ts'

const rp: RelyingParty = {
  id: 'example.com',
  name: 'Example',
  origins: ['https://example.com', 'https://login.example.com', 'https://example.de'],
  relatedOrigins: ['https://example.de'],
  userVerification: 'preferred',
}
const strict: RelyingParty = { ...rp, userVerification: 'required' }

const origin = 'https://example.com'
const challenge = 'c'.repeat(43)
const userId = '0192a6b0-3c4d-7e5f-8a9b-0c1d2e3f4a5b'
const userHandle = userHandleOf(userId)

const creation = registrationOptions(rp, {
  challenge,
  timeoutMillis: 300_000,
  userId,
  userName: 'ada@example.com',
  displayName: 'Ada',
  exclude: [],
})
const request = assertionOptions(rp, { challenge, timeoutMillis: 300_000, allow: [] })

function register(authenticator: TestAuthenticator, lies?: TestLies) {
  return checkRegistration(rp, { response: authenticator.register(creation, lies), challenge })
}

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

describe('registration', () => {
  it('asks for a passkey that signs in without a name, and for nothing of its maker', () => {
    const held = { credentialId: 'aGVsZA', transports: ['usb'] }
    const exclude = [{ ...held, publicKey: 'never sent' }]
    const given = { challenge, timeoutMillis: 60_000, userId, userName: 'ada', displayName: 'Ada' }
    expect(registrationOptions(strict, { ...given, exclude })).toEqual({
      rp: { id: 'example.com', name: 'Example' },
      user: { id: 'AZKmsDxNfl-KmwwdLj9KWw', name: 'ada', displayName: 'Ada' },
      challenge,
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 60_000,
      excludeCredentials: [{ id: 'aGVsZA', type: 'public-key', transports: ['usb'] }],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
    })
  })

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'makes a passkey of a key for %s',
    async (algorithm) => {
      const { authenticator, passkey, check } = await enrolled({ algorithm })
      expect(passkey).toEqual({
        credentialId: expect.stringMatching(/^[\w-]{43}$/),
        publicKey: expect.stringMatching(/^[\w-]{50,}$/),
        counter: 1,
        deviceType: 'singleDevice',
        backedUp: false,
        transports: ['usb'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        isUserVerified: true,
      })
      expect(await check(authenticator.sign(request))).toEqual(signed)
    },
  )

  it('tells a passkey that is synced between devices', async () => {
    const synced = createTestAuthenticator({ origin, counter: 'zero' })
    expect(await register(synced)).toMatchObject({
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    })
  })

  it.each<[string, TestLies]>([
    ['another origin', { origin: 'https://evilexample.com' }],
    ['the same host on another port', { origin: 'https://example.com:8443' }],
    ['an origin below that is not listed', { origin: 'https://other.example.com' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'd'.repeat(43) }],
    ['a signature and not a registration', { type: 'webauthn.get' }],
    ['a frame in another page', { crossOrigin: true }],
    ['a frame that denies it', { topOrigin: 'https://evil.example' }],
    ['nobody at the authenticator', { userPresent: false }],
  ])('refuses %s', async (_, lies) => {
    expect(await register(createTestAuthenticator({ origin }), lies)).toBeNull()
  })

  it('refuses a user who was not verified, where that is required (A-102)', async () => {
    const response = createTestAuthenticator({ origin, hasUserVerification: false }).register(
      creation,
    )
    expect(await checkRegistration(rp, { response, challenge })).toMatchObject({
      isUserVerified: false,
    })
    expect(await checkRegistration(strict, { response, challenge })).toBeNull()
  })

  it('takes it from a related origin, and from none that is not listed', async () => {
    const related = createTestAuthenticator({ origin: 'https://example.de' })
    expect(await register(related)).not.toBeNull()
    expect(await register(related, { origin: 'https://example.fr' })).toBeNull()
  })

  it('refuses another credential id than the signed one, and a key too long to check', async () => {
    const response = createTestAuthenticator({ origin }).register(creation)
    const other = createTestAuthenticator({ origin }).register(creation)
    const renamed = { ...response, id: other.id, rawId: other.id }
    expect(await checkRegistration(rp, { response: renamed, challenge })).toBeNull()
    const check = (modulusBytes: number) => {
      const key = [
        [1, 3],
        [3, -257],
        [-1, Buffer.alloc(modulusBytes, 1)],
        [-2, Buffer.from([1, 0, 1])],
      ] as const
      return checkRegistration(rp, { response: withKey(key), challenge })
    }
    expect(await check(512)).not.toBeNull()
    expect(await check(1024)).toBeNull()
  })

  it('does not read what an authenticator says of its maker', async () => {
    const response = createTestAuthenticator({ origin }).register(creation)
    const bytes = Buffer.from(response.response.attestationObject, 'base64url')
    const attestationObject = cbor([
      ['fmt', 'android-key'],
      ['attStmt', [['x5c', 'https://inside.example/revoked.crl']]],
      ['authData', bytes.subarray(bytes.indexOf('authData') + 10)],
    ]).toString('base64url')
    const attested = { ...response, response: { ...response.response, attestationObject } }
    expect(await checkRegistration(rp, { response: attested, challenge })).not.toBeNull()
  })

  it('refuses an algorithm that was not asked for', async () => {
    const es384 = withKey([
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, Buffer.alloc(48, 1)],
      [-3, Buffer.alloc(48, 1)],
    ])
    expect(await checkRegistration(rp, { response: es384, challenge })).toBeNull()
  })

  it.each([
    ['nothing', ''],
    ['no CBOR', 'AAAA'],
    ['a map without members', cbor([]).toString('base64url')],
    ['authenticator data that ends early', attestationOf(Buffer.alloc(36))],
    ['authenticator data without a credential', attestationOf(Buffer.alloc(37))],
    ['lists in lists, ten thousand deep', Buffer.alloc(10_000, 0x81).toString('base64url')],
    ['a map of four milliards', Buffer.from('baffffffff0101', 'hex').toString('base64url')],
  ])('refuses %s for an attestation', async (_, attestationObject) => {
    const response = createTestAuthenticator({ origin }).register(creation)
    const broken = { ...response, response: { ...response.response, attestationObject } }
    expect(await checkRegistration(rp, { response: broken, challenge })).toBeNull()
  })
})

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

  it.each<[string, TestLies]>([
    ['another origin', { origin: 'https://evilexample.com' }],
    ['plain http', { origin: 'http://example.com' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'd'.repeat(43) }],
    ['a registration and not a signature', { type: 'webauthn.create' }],
    ['a frame in another page', { crossOrigin: true }],
    ['nobody at the authenticator', { userPresent: false }],
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

  it('refuses a counter that did not rise: somebody has a copy', async () => {
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

  it('must name the account where nobody else did', async () => {
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

describe('the challenge that a response answers', () => {
  const told = (data: unknown) =>
    challengeOf({
      response: { clientDataJSON: Buffer.from(JSON.stringify(data)).toString('base64url') },
    })

  it('is read before anything is checked, and is null for garbage', () => {
    expect(told({ challenge })).toBe(challenge)
    for (const data of [
      null,
      7,
      [],
      {},
      { challenge: 7 },
      { challenge: 'c' },
      { challenge: `${challenge}=` },
    ]) {
      expect(told(data)).toBeNull()
    }
    expect(challengeOf({ response: { clientDataJSON: '' } })).toBeNull()
    expect(challengeOf({ response: { clientDataJSON: '*'.repeat(4096) } })).toBeNull()
  })
})

/** A response of an authenticator with this key. */
function withKey(key: Parameters<typeof cbor>[0]) {
  const response = createTestAuthenticator({ origin }).register(creation)
  const id = Buffer.from(response.id, 'base64url')
  const { attestationObject } = response.response
  const bytes = Buffer.from(attestationObject, 'base64url')
  const start = bytes.indexOf(id)
  const head = bytes.subarray(bytes.indexOf('authData') + 10, start + id.length)
  const changed = attestationOf(Buffer.concat([head, cbor(key)]))
  return { ...response, response: { ...response.response, attestationObject: changed } }
}

function attestationOf(authData: Buffer) {
  return cbor([
    ['fmt', 'none'],
    ['attStmt', []],
    ['authData', authData],
  ]).toString('base64url')
}
