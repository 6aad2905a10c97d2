import { defineRouter, route } from '@svc/core'
import { LimitHits } from '@svc/core/limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitingDevices } from '../device/testing/test-waiting.ts'
import { requireStepUp } from '../fresh-proof/fresh-proof.ts'
import { createLimits } from '../limits/limits.ts'
import { everyLimit } from '../limits/testing/limits.ts'
import { passkeys } from '../passkeys/schema.ts'
import { changeService } from '../running/test-change-held.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import {
  enrolledUser,
  signInWithFactor,
  waitingSignIn,
  withKeyring,
} from './testing/test-second-factor.ts'

const jwtSecret = 'a secret for requests that no device key signs'
const application = defineRouter({
  vault: route
    .get('/vault')
    .use([requireStepUp])
    .handler(() => 'open'),
})
const auth = await startTestAuth({
  env: { ...withKeyring(), SVC_AUTH_JWT_SECRET: jwtSecret },
  router: application,
})
afterAll(auth.stop)
const { call, clock } = auth

const wrong = refused(401, 'MfaVerificationFailedError')
const stepUpRequired = refused(403, 'StepUpRequiredError')
const notEnrolled = refused(400, 'MfaNotEnrolledError')
type User = Awaited<ReturnType<typeof enrolledUser>>
type Owner = Awaited<ReturnType<typeof auth.signedInUser>>

const origin = new URL(auth.auth.appUrl).origin

/** Puts a passkey into the account. */
async function passkeyOf({ key }: Pick<Owner, 'key'>, traits: object = {}) {
  const authenticator = createTestAuthenticator({ origin, ...traits })
  const options = await call('passkeyRegisterOptions', {}, key)
  const response = authenticator.register(options.body)
  const { passkeyId } = await done(call('passkeyRegisterVerify', { response }, key))
  return { authenticator, passkeyId: String(passkeyId) }
}
const mark = ({ key }: Pick<Owner, 'key'>, passkeyId: string, secondFactor = true) =>
  call('mfaMarkPasskey', { passkeyId, secondFactor }, key)

describe('what needs a step-up', () => {
  const sensitive = (user: User, passkeyId: string) => [
    () => call('mfaDisable', undefined, user.key),
    () => mark(user, passkeyId, false),
    () => call('mfaRegenerateRecoveryCodes', {}, user.key),
  ]
  const unknown = '6f1d4f0e-9f5e-4d44-8c6f-0a4bb5f4a6a1'

  it('is refused on a device that has proved nothing for ten minutes (A-238, A-239, A-240, A-247)', async () => {
    const user = await enrolledUser(auth)
    clock.advance(10 * 60_000 - 1)
    expect(await call('mfaRegenerateRecoveryCodes', {}, user.key)).toMatchObject({ status: 200 })
    clock.advance(1)
    for (const ask of sensitive(user, unknown)) expect(await ask()).toMatchObject(stepUpRequired)
    expect(await call('mfaStepUp', { code: user.code() }, user.key)).toMatchObject({ status: 204 })
    expect(await call('mfaRegenerateRecoveryCodes', {}, user.key)).toMatchObject({ status: 200 })
  })

  it('is refused with the proof of another device (A-242)', async () => {
    const user = await enrolledUser(auth)
    const other = await signInWithFactor(auth, user)
    clock.advance('10m')
    expect(await call('mfaStepUp', { code: user.code() }, other)).toMatchObject({ status: 204 })
    for (const ask of sensitive(user, unknown)) expect(await ask()).toMatchObject(stepUpRequired)
  })

  it('goes on with the proof of the device that has signed out all others, and with no other’s (decision 16)', async () => {
    const user = await enrolledUser(auth)
    const other = await signInWithFactor(auth, user)
    expect(await call('revokeAllKeys', {}, user.key)).toMatchObject({ status: 200 })
    expect(await call('mfaRegenerateRecoveryCodes', {}, user.key)).toMatchObject({ status: 200 })
    expect(await call('mfaRegenerateRecoveryCodes', {}, other)).toMatchObject({ status: 401 })
    clock.advance(10 * 60_000)
    for (const ask of sensitive(user, unknown)) expect(await ask()).toMatchObject(stepUpRequired)
  })

  it('is refused with a proof from before the password was changed (A-247)', async () => {
    const user = await enrolledUser(auth)
    const newPassword = 'a quite different pass phrase'
    const change = { currentPassword: user.password, newPassword }
    expect(await call('changePassword', change, user.key)).toMatchObject({ status: 204 })
    for (const ask of sensitive(user, unknown)) expect(await ask()).toMatchObject(stepUpRequired)
  })
})

describe('a route of an application that needs a step-up', () => {
  async function enter(user?: Owner) {
    const request = { method: 'GET', url: `${auth.url}/vault`, body: '' }
    const headers = user ? await auth.signerOf(user.key)(request) : {}
    const answer = await fetch(request.url, { headers })
    return { status: answer.status, body: await answer.json() }
  }

  it('asks for a fresh proof where there is a factor, and for a sign-in always (A-247)', async () => {
    const [user, other] = [await enrolledUser(auth), await auth.signedInUser()]
    clock.advance('10m')
    expect(await enter(user)).toMatchObject(stepUpRequired)
    expect(await call('mfaStepUp', { code: user.code() }, user.key)).toMatchObject({ status: 204 })
    for (const each of [user, other]) expect(await enter(each)).toMatchObject({ status: 200 })
    expect(await enter()).toMatchObject(refused(401, 'UnauthorizedError'))
  })
})

describe('mfaStepUp', () => {
  it('takes exactly one proof, and only where there is a factor (A-242, A-249)', async () => {
    const [user, other] = [await enrolledUser(auth), await auth.signedInUser()]
    expect(await call('mfaStepUp', {}, user.key)).toMatchObject(refused(400, 'ValidationError'))
    expect(await call('mfaStepUp', { code: '123456' }, other.key)).toMatchObject(notEnrolled)
    expect(await call('mfaStepUpOptions', {}, other.key)).toMatchObject(notEnrolled)
    expect(await call('mfaStepUpOptions', {}, user.key)).toMatchObject(notEnrolled)
  })

  it('is POST /_auth/mfa/step-up of a signed-in device, and proves the factor there again (A-242)', async () => {
    const user = await enrolledUser(auth)
    clock.advance('10m')
    const regenerate = () => call('mfaRegenerateRecoveryCodes', {}, user.key)
    expect(await regenerate()).toMatchObject(stepUpRequired)
    const url = `${auth.url}/_auth/mfa/step-up`
    const body = JSON.stringify({ code: user.code() })
    const post = (signed: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { ...signed, 'content-type': 'application/json' },
        body,
      })
    expect((await post({})).status).toBe(401)
    expect(await regenerate()).toMatchObject(stepUpRequired)
    expect((await post(await auth.signerOf(user.key)({ method: 'POST', url, body }))).status).toBe(
      204,
    )
    expect(await regenerate()).toMatchObject({ status: 200 })
  })

  it('leaves a row in the trail, done or refused (A-242)', async () => {
    const user = await enrolledUser(auth)
    await call('mfaStepUp', { code: user.wrongCode() }, user.key)
    await call('mfaStepUp', { code: user.code() }, user.key)
    const root = await auth.signedInUser({ role: 'superadmin' })
    const query = { act: 'mfa.step_up', actor: user.userId }
    const { body } = await call('listAuditEvents', undefined, root.key, { query })
    const row = { target: user.key.keyId, keyId: user.key.keyId, details: { method: 'totp' } }
    expect(body.data).toMatchObject([
      { ...row, outcome: 'done' },
      { ...row, outcome: 'refused' },
    ])
  })
})

describe('mfaMarkPasskey', () => {
  it('makes a passkey the second factor, and no longer one (A-239)', async () => {
    const user = await auth.signedInUser()
    const { passkeyId } = await passkeyOf(user)
    const marked = { enrolled: true, methods: ['passkey'], recoveryCodesRemaining: 0 }
    expect((await mark(user, passkeyId)).body).toEqual(marked)
    // The first factor: nothing of it was proved yet.
    expect(await mark(user, passkeyId, false)).toMatchObject(stepUpRequired)
  })

  it('knows no passkey of another account (A-239)', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const { passkeyId } = await passkeyOf(other)
    for (const id of [passkeyId, 'none']) {
      expect(await mark(user, id)).toMatchObject(refused(404, 'PasskeyNotFoundError'))
    }
  })

  it('takes no passkey whose key is none: its owner could not prove it', async () => {
    const user = await auth.signedInUser()
    const { passkeyId } = await passkeyOf(user)
    await auth.auth.db
      .update(passkeys)
      .set({ publicKey: 'oA' })
      .where(eq(passkeys.passkeyId, passkeyId))
    expect(await mark(user, passkeyId)).toMatchObject(refused(404, 'PasskeyNotFoundError'))
    expect((await call('mfaStatus', undefined, user.key)).body.methods).toEqual([])
    await auth.auth.db
      .update(passkeys)
      .set({ secondFactor: true })
      .where(eq(passkeys.passkeyId, passkeyId))
    expect((await call('mfaStatus', undefined, user.key)).body.methods).toEqual([])
    expect(await call('setSessionBinding', { mode: 'passkey' }, user.key)).toMatchObject(
      refused(404, 'PasskeyNotFoundError'),
    )
  })

  it('steps up and finishes a sign-in with it, once each (A-239, A-243, A-245)', async () => {
    const user = await auth.signedInUser()
    const { authenticator, passkeyId } = await passkeyOf(user)
    await mark(user, passkeyId)
    const { key, challenge } = await waitingSignIn(auth, user)
    const verifying = (await call('mfaVerifyOptions', { challenge })).body
    const stepping = (await call('mfaStepUpOptions', {}, user.key)).body
    expect(stepping.allowCredentials).toHaveLength(1)
    // What was asked for one is worth nothing for the other.
    const crossed = { response: authenticator.sign(verifying) }
    expect(await call('mfaStepUp', crossed, user.key)).toMatchObject(wrong)
    const verify = { challenge, response: authenticator.sign(verifying) }
    expect(await call('mfaVerify', verify)).toMatchObject({ status: 200 })
    expect(await call('mfaVerify', verify)).toMatchObject(wrong)
    const stepUp = { response: authenticator.sign(stepping) }
    expect(await call('mfaStepUp', stepUp, key)).toMatchObject(wrong)
    expect(await call('mfaStepUp', stepUp, user.key)).toMatchObject({ status: 204 })
    expect(await call('mfaStepUp', stepUp, user.key)).toMatchObject(wrong)
  })

  it('takes no passkey that is not marked any more (A-239)', async () => {
    const user = await enrolledUser(auth)
    const { authenticator, passkeyId } = await passkeyOf(user)
    await mark(user, passkeyId)
    const options = (await call('mfaStepUpOptions', {}, user.key)).body
    expect((await mark(user, passkeyId, false)).body.methods).toEqual(['totp'])
    const response = authenticator.sign(options)
    expect(await call('mfaStepUp', { response }, user.key)).toMatchObject(wrong)
  })
})

describe('where limits hold', () => {
  const { db, cache, env, limits } = auth.auth
  const on = createLimits({
    db,
    cache,
    clock,
    env: { ...env, SVC_RATE_LIMIT: true },
    hits: new LimitHits(clock),
    table: everyLimit,
  })
  beforeAll(() => changeService(auth.server.infrastructure, { limits: on }))
  afterAll(() => changeService(auth.server.infrastructure, { limits }))

  it('options are counted at each door for themselves, and use up no try of a proof', async () => {
    const user = await auth.signedInUser()
    const { authenticator, passkeyId } = await passkeyOf(user)
    await mark(user, passkeyId)
    const { challenge } = await waitingSignIn(auth, user)
    let verifying = await done(call('mfaVerifyOptions', { challenge }))
    for (let pages = 1; pages < 29; pages++) {
      verifying = await done(call('mfaVerifyOptions', { challenge }))
    }
    verifying = await done(call('mfaVerifyOptions', { challenge }))
    const tooMany = refused(429, 'TooManyRequestsError')
    expect(await call('mfaVerifyOptions', { challenge })).toMatchObject(tooMany)
    const stepping = await done(call('mfaStepUpOptions', {}, user.key))
    const stepUp = { response: authenticator.sign(stepping) }
    expect(await call('mfaStepUp', stepUp, user.key)).toMatchObject({ status: 204 })
    const verify = { challenge, response: authenticator.sign(verifying) }
    expect(await call('mfaVerify', verify)).toMatchObject({ status: 200 })
  })

  it('a minute of guesses at a sign-in closes neither step-up nor recovery codes (decisions 16)', async () => {
    clock.advance('2m')
    const user = await enrolledUser(auth)
    const tooMany = refused(429, 'TooManyRequestsError')
    const two = [await waitingSignIn(auth, user), await waitingSignIn(auth, user)]
    for (const { challenge } of two) {
      for (let tries = 0; tries < 5; tries++) {
        expect(await call('mfaVerify', { challenge, code: user.wrongCode() })).toMatchObject(wrong)
      }
    }
    const next = await waitingSignIn(auth, user)
    const guess = { challenge: next.challenge, code: user.wrongCode() }
    expect(await call('mfaVerify', guess)).toMatchObject(tooMany)
    const [recoveryCode] = user.recoveryCodes
    expect(await call('mfaStepUp', { code: user.code() }, user.key)).toMatchObject({ status: 204 })
    const recovered = await call('mfaVerify', { challenge: next.challenge, recoveryCode })
    expect(recovered).toMatchObject({ status: 200 })
  })
})

it('the first second factor refuses devices that were approved without one (A-170)', async () => {
  const { approvedBy, poll } = waitingDevices(auth)
  const user = await auth.signedInUser()
  const device = await approvedBy(user)
  const { passkeyId } = await passkeyOf(user)
  await mark(user, passkeyId)
  expect(await poll(device)).toMatchObject(refused(403, 'DeviceAuthDeniedError'))
})
