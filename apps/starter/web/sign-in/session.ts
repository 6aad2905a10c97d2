import { createAuthApi, createDeviceKey, deleteDeviceKey, openDeviceKey } from '@svc/auth'
import { HttpError } from '@svc/core/client'
import { publicApiUrl } from '../env.ts'
import { isKeyDead } from './is-key-dead.ts'
import { type Me, type SignedApi, signedApi } from './signed-api.ts'

/** Somebody who is signed in on this device. */
export interface Session {
  keyId: string
  me: Me
  api: SignedApi
}

const publicAuthApi = createAuthApi({ baseUrl: publicApiUrl })

/** The session of the key that this device keeps, if any. A key that is dead is forgotten. */
export async function findSession(): Promise<Session | 'ended' | null> {
  const key = await openDeviceKey()
  if (key === null) return null
  const { keyId } = key
  try {
    return await sessionOf(keyId, signedApi(key))
  } catch (error) {
    if (!isKeyDead(error)) throw error
    await deleteDeviceKey({ keyId })
    return 'ended'
  }
}

/** The account has a second factor, for which this page has no form. */
export class SecondFactorError extends Error {}

/** Makes a new key, which the API takes together with the password. */
export async function startSession(email: string, password: string): Promise<Session> {
  const key = await createDeviceKey()
  const { keyId } = key
  try {
    const { mfaRequired } = await publicAuthApi.login.call({
      body: { email, password, ...key.registration, platform: 'web' },
    })
    if (mfaRequired) throw new SecondFactorError()
  } catch (error) {
    // Without an answer the API may have taken the key all the same: the next visit asks.
    const isUnanswered = error instanceof HttpError && error.status === 503
    if (!isUnanswered) await deleteDeviceKey({ keyId })
    throw error
  }
  return sessionOf(keyId, signedApi(key))
}

async function sessionOf(keyId: string, api: SignedApi) {
  return { keyId, api, me: await api.board.getMe.call() }
}

/** Revokes the key and forgets it. While the API does not answer it stays, so that it can still be revoked. */
export async function endSession({ keyId, api }: Session) {
  try {
    await api.auth.logout.call()
  } catch (error) {
    if (!isKeyDead(error)) throw error
  }
  await deleteDeviceKey({ keyId })
}
