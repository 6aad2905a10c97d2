import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { passkeysOf } from './testing/test-passkeys.ts'

const elsewhere = 'https://board.example.org'
const android = `android:apk-key-hash:${'x'.repeat(43)}`
const auth = await startTestAuth({
  env: {
    SVC_RATE_LIMIT: 'on',
    SVC_AUTH_PASSKEY_RP_ID: 'example.com',
    SVC_AUTH_PASSKEY_ORIGINS: `https://app.example.com,${elsewhere},${android}`,
    SVC_AUTH_PASSKEY_USER_VERIFICATION: 'required',
    SVC_AUTH_PASSKEY_CHALLENGE_TTL_SECONDS: '60',
  },
})
const usual = await startTestAuth()
afterAll(() => Promise.all([auth.stop(), usual.stop()]))
beforeEach(() => auth.clock.advance('60s'))
const { enrol, login, loginOptions, present, registerOptions, registerVerify } = passkeysOf(auth)
const origin = 'https://app.example.com'

describe('with SVC_AUTH_PASSKEY_USER_VERIFICATION=required', () => {
  it('a passkey without user verification is none', async () => {
    const user = await auth.signedInUser()
    const device = createTestAuthenticator({ origin })
    const { body } = await registerOptions(user.key)
    expect(body.authenticatorSelection.userVerification).toBe('required')
    const unchecked = device.register(body, { userVerified: false })
    expect(await registerVerify(user.key, unchecked)).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
  })

  it('an assertion cannot do without', async () => {
    const { device } = await enrol(await auth.signedInUser(), createTestAuthenticator({ origin }))
    expect((await loginOptions()).userVerification).toBe('required')
    expect(await login(device, { userVerified: false })).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
    expect(await login(device)).toMatchObject({ status: 200 })
  })
})

describe('SVC_AUTH_PASSKEY_CHALLENGE_TTL_SECONDS', () => {
  it('is how long a challenge lives (A-233)', async () => {
    const { device } = await enrol(await auth.signedInUser(), createTestAuthenticator({ origin }))
    const options = await loginOptions()
    expect(options.timeout).toBe(60_000)
    auth.clock.advance(60_000)
    expect(await present(device.sign(options))).toMatchObject(refused(401, 'PasskeyChallengeError'))
  })
})

describe('the limits', () => {
  it('of an address are shared by the options and what they are answered with', async () => {
    const { device } = await enrol(await auth.signedInUser(), createTestAuthenticator({ origin }))
    for (let count = 0; count < 10; count += 1) {
      expect(await login(device)).toMatchObject({ status: 200 })
    }
    expect(await auth.call('passkeyLoginOptions', {})).toMatchObject(
      refused(429, 'TooManyRequestsError'),
    )
    const unasked = { challenge: 'x'.repeat(43), timeout: 1, rpId: 'example.com' }
    const options = { ...unasked, allowCredentials: [], userVerification: 'required' as const }
    expect(await present(device.sign(options))).toMatchObject(refused(429, 'TooManyRequestsError'))
  })

  it('of an account hold who puts passkeys in', async () => {
    const user = await auth.signedInUser()
    for (let count = 0; count < 10; count += 1) {
      expect(await registerOptions(user.key)).toMatchObject({ status: 200 })
    }
    expect(await registerOptions(user.key)).toMatchObject(refused(429, 'TooManyRequestsError'))
  })
})

describe('GET /.well-known/webauthn', () => {
  it('says where else the passkeys may be used, without a credential', async () => {
    const answer = await auth.fetch('/.well-known/webauthn')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(await answer.json()).toEqual({ origins: [origin, elsewhere] })
  })

  it('is not there where there is nowhere else', async () => {
    const answer = await usual.fetch('/.well-known/webauthn')
    expect(answer.status).toBe(404)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('names origins that the ceremonies take', async () => {
    const user = await auth.signedInUser()
    const { device } = await enrol(user, createTestAuthenticator({ origin: elsewhere }))
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await login(device, { origin: 'https://evil.example.org' })).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
  })
})
