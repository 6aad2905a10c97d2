import { type TestUser, totpCode } from '@svc/auth/testing'
import type { Auth } from './test-organizations.ts'

/** Gives an account a second factor. The key has proved it. */
export async function enrol(auth: Auth, { key }: Pick<TestUser, 'key'>) {
  const { body } = await auth.call('mfaTotpEnroll', {}, key)
  const code = totpCode(body.secret, auth.clock.now())
  const { status } = await auth.call('mfaTotpConfirm', { code }, key)
  if (status !== 200) throw new Error(`mfaTotpConfirm answered ${status}`)
  /** Proves it again, with the code after that. */
  return async () => {
    const next = { code: totpCode(body.secret, auth.clock.now()) }
    const stepUp = await auth.call('mfaStepUp', next, key)
    if (stepUp.status >= 300) throw new Error(`mfaStepUp answered ${stepUp.status}`)
  }
}
