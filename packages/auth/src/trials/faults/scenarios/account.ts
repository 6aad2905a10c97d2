import { createRevokeAllLink } from '../../../revoke-all/revoke-all.ts'
import { done } from '../../../test-answers.ts'
import { createTestKey } from '../../../testing.ts'
import { type Scenario, type Stage, scenario, spends } from './stage.ts'

const newPassword = 'another horse battery staple'

async function changeOfAddress(stage: Stage) {
  const user = await stage.signedInUser()
  const email = stage.newAddress()
  const verificationToken = await stage.verificationToken(email, 'email_change')
  return { user, body: { email, verificationToken, currentPassword: user.password } }
}

/** What somebody does with an account that they are signed in to. */
export const accountScenarios = {
  logout: scenario(
    async ({ ask, signedInUser }) => ask('logout', undefined, (await signedInUser()).key),
    '401 UnauthorizedError',
  ),
  issueOneTimeToken: scenario(
    async ({ ask, signedInUser }) =>
      ask('issueOneTimeToken', undefined, (await signedInUser()).key),
    '200',
  ),
  revokeKey: scenario(async ({ ask, signedInUser, signIn }) => {
    const user = await signedInUser()
    const { keyId } = await signIn(user)
    return ask('revokeKey', { keyId }, user.key)
  }, '200'),
  rotateKey: scenario(async ({ ask, signedInUser }) => {
    const { key } = await signedInUser()
    const next = await createTestKey()
    const by = (signer: typeof key) => ask('rotateKey', next.registration, signer)
    return { first: by(key), again: by(next) }
  }, '200'),
  createMachineKey: scenario(async ({ ask, signedInUser }) => {
    const { key } = await signedInUser()
    const { registration } = await createTestKey()
    return ask('createMachineKey', { ...registration, permissions: [] }, key)
  }, '409 KeyIdAlreadyRegisteredError'),
  revokeAllKeys: scenario(async ({ ask, signedInUser, signIn }) => {
    const user = await signedInUser()
    await signIn(user)
    return ask('revokeAllKeys', {}, user.key)
  }, '200'),
  consumeRevokeAllLink: scenario(async ({ ask, signedInUser }) => {
    const { url } = await createRevokeAllLink((await signedInUser()).userId)
    return ask('consumeRevokeAllLink', { token: new URL(url).searchParams.get('token') })
  }, '404 RevokeAllLinkError'),
  setSessionBinding: scenario(async ({ ask, binding, signedInUser }) => {
    const { key } = await signedInUser()
    await binding.enrol(key)
    return ask('setSessionBinding', { mode: 'passkey' }, key)
  }, '200'),
  'setSessionBinding to none': scenario(
    async ({ ask, binding }) => {
      const { key, authenticator } = await binding.boundUser()
      const response = authenticator.sign(await binding.askToUnbind(key))
      return ask('setSessionBinding', { mode: 'none', response }, key)
    },
    '200',
    spends('binding disable', '401 PasskeyChallengeError'),
  ),
  sessionBindingDisableOptions: scenario(async ({ ask, binding }) => {
    const { key } = await binding.boundUser()
    return ask('sessionBindingDisableOptions', {}, key)
  }, '200'),
  sessionRenewOptions: scenario(async ({ ask, binding }) => {
    const { key } = await binding.boundUser()
    return ask('sessionRenewOptions', { expiredKeyId: key.keyId }, key)
  }, '200'),
  sessionRenewVerify: scenario(
    async ({ ask, binding }) => {
      const { key, authenticator } = await binding.boundUser()
      const { registration } = await createTestKey()
      const response = await binding.sign(key, authenticator)
      const body = { expiredKeyId: key.keyId, response, ...registration }
      return ask('sessionRenewVerify', body, key)
    },
    '401 SessionRenewalRefusedError',
    spends('renew', '401 SessionRenewalRefusedError'),
  ),
  changePassword: scenario(async ({ ask, signedInUser }) => {
    const { key, password } = await signedInUser()
    return ask('changePassword', { currentPassword: password, newPassword }, key)
  }, '401 InvalidCredentialsError'),
  requestPasswordReset: scenario(async ({ ask, createUser }) => {
    const { email } = await createUser()
    return ask('requestPasswordReset', { email })
  }, '200'),
  confirmPasswordReset: scenario(async ({ ask, reset, createUser }) => {
    const token = await reset.token((await createUser()).email)
    return ask('confirmPasswordReset', { token })
  }, '401 PasswordResetLinkError'),
  completePasswordReset: scenario(async ({ askWithNewKey, reset, signedInUser }) => {
    const setupSecret = await reset.secret((await signedInUser()).email)
    return askWithNewKey('completePasswordReset', { setupSecret, password: newPassword })
  }, '401 PasswordResetSessionError'),
  updateLocale: scenario(
    async ({ ask, signedInUser }) =>
      ask('updateLocale', { locale: 'ko-KR' }, (await signedInUser()).key),
    '200',
  ),
  updateUserProfile: scenario(
    async ({ ask, signedInUser }) =>
      ask('updateUserProfile', { displayName: 'A new one' }, (await signedInUser()).key),
    '200',
  ),
  updateUsername: scenario(async ({ ask, signedInUser }) => {
    const { key, publicId } = await signedInUser()
    return ask('updateUsername', { username: `a.${publicId.slice(0, 8)}` }, key)
  }, '200'),
  changeEmail: scenario(async (stage) => {
    const { user, body } = await changeOfAddress(stage)
    return stage.ask('changeEmail', body, user.key)
  }, '200'),
  changePhone: scenario(async ({ ask, contact, signedInUser, verificationToken }) => {
    const { key, password } = await signedInUser()
    const phone = contact.newPhone()
    const token = await verificationToken(phone, 'phone_change')
    const body = { phone, verificationToken: token, currentPassword: password }
    return ask('changePhone', body, key)
  }, '200'),
  consumeContactUndoLink: scenario(async (stage) => {
    const { user, body } = await changeOfAddress(stage)
    const change = () => done(stage.call('changeEmail', body, user.key))
    const token = await stage.linkSentBy(change, user.email, 'contact-changed')
    return stage.ask('consumeContactUndoLink', { token })
  }, '404 ContactUndoLinkError'),
  requestAccountDeletion: scenario(async ({ ask, signedInUser }) => {
    const { key, password } = await signedInUser()
    return ask('requestAccountDeletion', { password }, key)
  }, '401 UnauthorizedError'),
  cancelAccountDeletion: scenario(async ({ ask, call, signedInUser }) => {
    const { key, email, password } = await signedInUser()
    await done(call('requestAccountDeletion', { password }, key))
    return ask('cancelAccountDeletion', { email, password })
  }, '204'),
  exportUserData: scenario(
    async ({ ask, signedInUser }) => ask('exportUserData', undefined, (await signedInUser()).key),
    '200',
  ),
  unlinkSocialAccount: scenario(async ({ ask, links, provider, signedInUser }) => {
    const { key, userId, email } = await signedInUser()
    await links.put(userId, provider, email)
    return ask('unlinkSocialAccount', { provider: provider.id }, key)
  }, '404 SocialAccountNotLinkedError'),
} satisfies Record<string, Scenario>
