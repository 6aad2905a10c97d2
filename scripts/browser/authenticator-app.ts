import { totpCode } from '../../packages/auth/src/mfa/totp.ts'

/**
 * An authenticator app with one secret. It shows no code twice, because the API accepts each only
 * once.
 */
export function authenticatorApp(secret: string, { now }: { now: () => Date }) {
  let shown = 0
  return {
    /** The code of this step, or else that of the next one, which is accepted too. */
    nextCode: () => {
      shown = Math.max(shown + 1, Math.floor(now().getTime() / 30_000))
      return totpCode(secret, shown)
    },
    /** A code that was good in 1970. */
    wrongCode: () => totpCode(secret, 0),
  }
}
