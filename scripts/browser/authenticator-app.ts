import { totpCode } from '../../packages/auth/src/mfa/totp.ts'

/** An authenticator app with one secret, which shows no code twice: the API takes none again. */
export function authenticatorApp(secret: string, { now }: { now: () => Date }) {
  let shown = 0
  return {
    /** This step's, or else the next one's, which is taken too. */
    nextCode: () => {
      shown = Math.max(shown + 1, Math.floor(now().getTime() / 30_000))
      return totpCode(secret, shown)
    },
    /** A code that was good when nobody had a telephone. */
    wrongCode: () => totpCode(secret, 0),
  }
}
