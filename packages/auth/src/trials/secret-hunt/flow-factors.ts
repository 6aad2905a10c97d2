import { bindingOf } from '../../key-binding/testing/binding.ts'
import { enrolledUser, waitingSignIn } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { waitingRemoval } from '../../people/testing/people.ts'
import { done } from '../../test-answers.ts'
import { createTestKey } from '../../testing.ts'
import type { Application } from './application.ts'

/** An authenticator app and recovery codes: set up, asked for, proved again, replaced. */
async function byApp(app: Application) {
  const user = await enrolledUser(app)
  const [spent, inCapitals, forStepUp] = user.recoveryCodes
  const first = await waitingSignIn(app, user)
  await app.call('mfaVerify', { challenge: first.challenge, code: user.wrongCode() })
  await done(app.call('mfaVerify', { challenge: first.challenge, code: user.code() }))
  const second = await waitingSignIn(app, user)
  await done(app.call('mfaVerify', { challenge: second.challenge, recoveryCode: spent }))
  const third = await waitingSignIn(app, user)
  const capitals = inCapitals?.toUpperCase()
  await app.call('mfaVerify', { challenge: third.challenge, recoveryCode: capitals })
  await done(app.call('mfaStepUp', { recoveryCode: forStepUp }, user.key))
  await app.call('mfaStepUp', { recoveryCode: forStepUp }, user.key)
  await done(app.call('mfaRegenerateRecoveryCodes', {}, user.key))
  await done(app.call('mfaStatus', undefined, user.key))
  await done(app.call('exportUserData', undefined, user.key))
}

/** A passkey: for signing in, as the second factor of a sign-in, and for stepping up. */
async function byPasskey(app: Application) {
  const passkeys = passkeysOf(app)
  const user = await app.signedInUser()
  const { device, passkeyId } = await passkeys.enrol(user)
  const response = device.sign(await passkeys.loginOptions())
  await done(passkeys.present(response))
  await passkeys.present(response)
  await done(app.call('mfaMarkPasskey', { passkeyId, secondFactor: true }, user.key))
  const { challenge } = await waitingSignIn(app, user)
  const options = await done(app.call('mfaVerifyOptions', { challenge }))
  const proof = device.sign(options)
  await done(app.call('mfaVerify', { challenge, response: proof }))
  await app.call('mfaVerify', { challenge, response: proof })
  const again = await done(app.call('mfaStepUpOptions', {}, user.key))
  await done(app.call('mfaStepUp', { response: device.sign(again) }, user.key))
  const recent = device.sign(await done(app.call('proveRecentOptions', {}, user.key)))
  await done(app.call('proveRecent', { passkey: recent }, user.key))
  await app.call('proveRecent', { passkey: recent }, user.key)
  await done(app.call('listPasskeys', {}, user.key))
}

/** A passkey that support was asked to remove, and that its owner keeps. */
async function keptFromSupport(app: Application) {
  const { token } = await waitingRemoval(app, await app.signedInUser({ role: 'admin' }))
  await done(app.call('stopFactorRemoval', { token }))
  await app.call('stopFactorRemoval', { token })
}

/** A session that needs its passkey to go on, renewed and let go. */
async function byBinding(app: Application) {
  const binding = bindingOf(app)
  const user = await binding.boundUser()
  const { keyId } = user.key
  const asked = await done(app.call('sessionRenewOptions', { expiredKeyId: keyId }, user.key))
  const next = await createTestKey()
  const body = { expiredKeyId: keyId, response: user.authenticator.sign(asked) }
  await done(app.call('sessionRenewVerify', { ...body, ...next.registration }, user.key))
  const options = await binding.askToUnbind(next)
  await done(binding.unbind(next, user.authenticator.sign(options)))
}

export async function proveFactors(app: Application) {
  await byApp(app)
  await byPasskey(app)
  await byBinding(app)
  await keptFromSupport(app)
}
