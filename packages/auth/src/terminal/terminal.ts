import { setTimeout as pause } from 'node:timers/promises'
import type { TerminalAccount, TerminalDevice, TerminalKey, TerminalSignIn } from '@svc/core'
import { HttpError, requestSigner } from '@svc/core/client'
import { createAuthApi } from '../auth-api.ts'
import {
  createDeviceKey,
  deleteDeviceKey,
  openDeviceKey,
} from '../device-key-file/device-key-file.ts'

/** The API holds a question so long. */
const waitMillis = 20_000
const keyPrefixLength = 8

/** A terminal signs in as a device without a keyboard does: another device of the account lets it in. */
export const terminal: TerminalDevice = {
  signIn,
  account,
  async signer({ file }) {
    const key = await openDeviceKey({ file })
    return key && requestSigner(key)
  },
  async signOut(place) {
    const api = await signedApi(place)
    await api?.logout.call().catch(unlessSignedOut)
    await deleteDeviceKey(place)
  },
  proofs: {
    RecentAuthenticationRequiredError: {
      question: 'Your password',
      async give(place, password) {
        await (await signedApi(place))?.proveRecent.call({ body: { password } })
      },
    },
    StepUpRequiredError: {
      question: 'The code of your authenticator app, or a recovery code',
      async give(place, answer) {
        const isOfApp = /^\s*[\d\s]{6,8}$/.test(answer)
        const body = isOfApp ? { code: answer } : { recoveryCode: answer }
        await (await signedApi(place))?.mfaStepUp.call({ body })
      },
    },
  },
}

async function signIn(given: TerminalSignIn): Promise<TerminalAccount> {
  const { baseUrl, file, deviceName, onCode } = given
  const api = createAuthApi({ baseUrl })
  const { registration } = await createDeviceKey({ file })
  const { deviceCode, userCode, expiresAtMillis } = await api.startDeviceAuth.call({
    body: { ...registration, deviceName, platform: 'desktop' },
  })
  const fingerprintPrefix = registration.fingerprint.slice(0, keyPrefixLength)
  onCode({ userCode, fingerprintPrefix, expiresAtMillis })
  for (;;) {
    const answer = await api.pollDeviceAuth.call({ body: { deviceCode, waitMillis } })
    if (answer.status === 'approved') break
    await pause(answer.intervalMillis)
  }
  const signedIn = await account(given)
  if (signedIn) return signedIn
  throw new Error('The device was let in, and was signed out again at once: sign in once more.')
}

async function account(place: TerminalKey): Promise<TerminalAccount | null> {
  const api = await signedApi(place)
  const session = await api?.getAuthSession.call().catch(unlessSignedOut)
  if (!session) return null
  const { userId, email, phone, username, roles } = session
  const name = email ?? phone ?? username ?? userId
  return { userId, name, roles: roles.map((role) => role.name) }
}

async function signedApi({ baseUrl, file }: TerminalKey) {
  const key = await openDeviceKey({ file })
  return key && createAuthApi({ baseUrl, sign: requestSigner(key) })
}

/** A key that the API does not know, or no longer: its user signs in again. */
function unlessSignedOut(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.status !== 401) throw error
  return undefined
}
