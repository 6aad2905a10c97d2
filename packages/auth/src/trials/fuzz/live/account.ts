import { randomUUID } from 'node:crypto'
import { createRevokeAllLink } from '../../../revoke-all/revoke-all.ts'
import { testPassword as password } from '../../../testing.ts'
import type { Lives, Stage } from './stage.ts'

const newPassword = 'another one, just as long'

/** What an account does with itself: its keys, password, addresses, and its end. */
export function account(stage: Stage): Lives {
  const { auth, call, keyFields, mailed, newEmail, newPhone, ofUser, tokenFor } = stage

  async function resetToken() {
    const { email } = await auth.createUser()
    return mailed('password-reset', () => call('requestPasswordReset', { email }))
  }
  async function undoToken() {
    const user = await auth.signedInUser()
    const email = newEmail()
    const verificationToken = await tokenFor(email, 'email_change')
    const body = { email, verificationToken, currentPassword: password }
    return mailed('contact-changed', () => call('changeEmail', body, user.key))
  }
  async function revokeAllToken() {
    const { userId } = await auth.createUser()
    return new URL((await createRevokeAllLink(userId)).url).searchParams.get('token')
  }

  return {
    linkSocialAccount: ofUser(() => ({ provider: 'addresses', returnUrl: '/' })),
    revokeKey: ofUser(({ key }) => ({ keyId: key.keyId })),
    rotateKey: ofUser(keyFields),
    createMachineKey: ofUser(async () => ({ ...(await keyFields()), permissions: [] })),
    revokeAllKeys: ofUser(() => ({})),
    confirmRevokeAllLink: async () => ({ body: { token: await revokeAllToken() } }),
    consumeRevokeAllLink: async () => ({ body: { token: await revokeAllToken() } }),
    changePassword: ofUser(() => ({ currentPassword: password, newPassword })),
    confirmPasswordReset: async () => ({ body: { token: await resetToken() } }),
    completePasswordReset: async () => {
      const token = await resetToken()
      const { setupSecret } = (await call('confirmPasswordReset', { token })).body
      return { body: { setupSecret, password, ...(await keyFields()) } }
    },
    changeEmail: ofUser(async () => {
      const email = newEmail()
      const verificationToken = await tokenFor(email, 'email_change')
      return { email, verificationToken, currentPassword: password }
    }),
    changePhone: ofUser(async () => {
      const phone = newPhone()
      const verificationToken = await tokenFor(phone, 'phone_change')
      return { phone, verificationToken, currentPassword: password }
    }),
    confirmContactUndoLink: async () => ({ body: { token: await undoToken() } }),
    consumeContactUndoLink: async () => ({ body: { token: await undoToken() } }),
    requestAccountDeletion: ofUser(() => ({ password })),
    updateUsername: ofUser(() => ({ username: `u${randomUUID().slice(0, 8)}` })),
  }
}
