import { describe, expect, it } from 'vitest'
import { createTestAuthenticator, type TestLies } from './testing/test-authenticator.ts'
import { cbor } from './testing/test-cbor.ts'
import {
  attestationOf,
  authenticatorDataOf,
  challenge,
  creation,
  origin,
  register,
  rp,
  strict,
  userId,
  withAttestation,
  withAuthenticatorData,
  withKey,
} from './testing/test-ceremony.ts'
import { oddKeys, soundKeys } from './testing/test-odd-keys.ts'
import { checkRegistration, registrationOptions } from './webauthn.ts'

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
      const authenticator = createTestAuthenticator({ origin, algorithm })
      expect(await register(authenticator)).toEqual({
        credentialId: expect.stringMatching(/^[\w-]{43}$/),
        publicKey: expect.stringMatching(/^[\w-]{50,}$/),
        counter: 1,
        deviceType: 'singleDevice',
        backedUp: false,
        transports: ['usb'],
        aaguid: '00000000-0000-0000-0000-000000000000',
        isUserVerified: true,
      })
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
    ['no user at the authenticator', { userPresent: false }],
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
      return checkRegistration(rp, { response: withKey(cbor(key)), challenge })
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

  it.each(soundKeys)('takes a key that is sound: %s', async (_, key) => {
    expect(await checkRegistration(rp, { response: withKey(key), challenge })).toMatchObject({
      publicKey: key.toString('base64url'),
    })
  })

  it.each(oddKeys)('refuses a key that is none of what was asked for: %s', async (_, key) => {
    expect(await checkRegistration(rp, { response: withKey(key), challenge })).toBeNull()
  })

  it('refuses an algorithm that was not asked for', async () => {
    const es384 = withKey(
      cbor([
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, Buffer.alloc(48, 1)],
        [-3, Buffer.alloc(48, 1)],
      ]),
    )
    expect(await checkRegistration(rp, { response: es384, challenge })).toBeNull()
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no CBOR', Buffer.alloc(3)],
    ['a map without members', cbor([])],
    ['authenticator data that ends early', attestationOf(Buffer.alloc(36))],
    ['authenticator data without a credential', attestationOf(Buffer.alloc(37))],
    ['lists in lists, ten thousand deep', Buffer.alloc(10_000, 0x81)],
    ['a map of four milliards', Buffer.from('baffffffff0101', 'hex')],
  ])('refuses %s for an attestation', async (_, attestation) => {
    const broken = withAttestation(attestation)
    expect(await checkRegistration(rp, { response: broken, challenge })).toBeNull()
  })

  it('takes what extensions say, and nothing behind it', async () => {
    const whole = authenticatorDataOf(createTestAuthenticator({ origin }).register(creation))
    const extended = Buffer.concat([whole, Buffer.from('a16b6372656450726f7465637402', 'hex')])
    extended.writeUInt8(extended.readUInt8(32) | 0x80, 32)
    const check = (authData: Buffer) =>
      checkRegistration(rp, { response: withAuthenticatorData(authData), challenge })
    expect(await check(whole)).not.toBeNull()
    expect(await check(extended)).not.toBeNull()
    for (const more of ['00', 'a0', 'f6', '40']) {
      const behind = Buffer.from(more, 'hex')
      expect(await check(Buffer.concat([whole, behind])), more).toBeNull()
      expect(await check(Buffer.concat([extended, behind])), more).toBeNull()
    }
    for (let length = 37; length < extended.length; length++) {
      expect(await check(extended.subarray(0, length)), `${length} bytes`).toBeNull()
    }
  })

  it('refuses an attestation that goes on, or ends before a length that it announces', async () => {
    const made = createTestAuthenticator({ origin }).register(creation)
    const whole = attestationOf(authenticatorDataOf(made))
    const check = (attestation: Buffer) =>
      checkRegistration(rp, { response: withAttestation(attestation, made), challenge })
    expect(await check(whole)).not.toBeNull()
    for (const more of ['00', 'a0', 'f6']) {
      expect(await check(Buffer.concat([whole, Buffer.from(more, 'hex')])), more).toBeNull()
    }
    for (const missing of [1, 2, 32, 100]) {
      expect(await check(whole.subarray(0, -missing)), `${missing} missing`).toBeNull()
    }
    // Its last string is announced one byte longer than it is, and would be sound without that byte.
    const longer = Buffer.from(whole)
    const at = longer.indexOf('authData') + 9
    longer.writeUInt8(longer.readUInt8(at) + 1, at)
    expect(await check(longer)).toBeNull()
  })
})
