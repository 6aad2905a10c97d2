import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { done } from '../../test-answers.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../testing.ts'

const newRingKey = (keyId: string) => `${keyId}:${randomBytes(32).toString('base64')}`

/** Variables with a keyring for second factors, the key of the first name being the active one. */
export const withKeyring = (...keyIds: string[]) => ({
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: (keyIds.length > 0 ? keyIds : ['test']).map(newRingKey).join(),
})

type Enrolling = Pick<TestAuth, 'call' | 'clock' | 'signedInUser'>

/** An authenticator app, whose user looks at it at the time of the server's clock. */
export function authenticatorApp({ clock }: Pick<TestAuth, 'clock'>, secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (offMillis = 0) => totp.generate({ timestamp: clock.now().getTime() + offMillis })
  return {
    secret,
    codeAt,
    /** A fresh one: it waits for the step after that of the code before. */
    code: () => {
      clock.advance('30s')
      return codeAt()
    },
    /** One of no step that is near. */
    wrongCode: () => {
      const near = [-90, -60, -30, 0, 30, 60, 90].map((seconds) => codeAt(seconds * 1000))
      return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
        (code) => !near.includes(code),
      ) as string
    },
  }
}

export type EnrolledUser = TestUser &
  ReturnType<typeof authenticatorApp> & { readonly recoveryCodes: readonly string[] }

/** Sets an authenticator app up for a user. The device has stepped up by that. */
export async function enrol(auth: Enrolling, user: TestUser): Promise<EnrolledUser> {
  const { secret } = await done(auth.call('mfaTotpEnroll', {}, user.key))
  const app = authenticatorApp(auth, secret)
  const { recoveryCodes } = await done(auth.call('mfaTotpConfirm', { code: app.code() }, user.key))
  return { ...user, ...app, recoveryCodes }
}

/** A user with an authenticator app and recovery codes. */
export async function enrolledUser(
  auth: Enrolling,
  as?: Parameters<TestAuth['signedInUser']>[0],
): Promise<EnrolledUser> {
  return enrol(auth, await auth.signedInUser(as))
}

/** A device that has given the password, and waits for the second factor. */
interface WaitingSignIn {
  readonly key: TestKey
  readonly challenge: string
  readonly expiresAtMillis: number
}

export async function waitingSignIn(
  { call }: Pick<TestAuth, 'call'>,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  key?: TestKey,
): Promise<WaitingSignIn> {
  const device = key ?? (await createTestKey())
  const { status, body } = await call('login', { email, password, ...device.registration })
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  const { secret: challenge, expiresAtMillis } = body.challenge
  return { key: device, challenge, expiresAtMillis }
}

/** Signs in on a new device with password and code. */
export async function signInWithFactor(
  auth: Pick<TestAuth, 'call'>,
  user: Pick<EnrolledUser, 'email' | 'password' | 'code'>,
): Promise<TestKey> {
  const { key, challenge } = await waitingSignIn(auth, user)
  await done(auth.call('mfaVerify', { challenge, code: user.code() }))
  return key
}
