import { headers } from 'next/headers.js'
import { pendingSignIn } from '../auth-operations/second-factor.ts'
import { sharedWebAuth } from '../web-auth.ts'

/** A sign-in that waits for its second factor. */
export interface WaitingSignIn {
  readonly expiresAt: Date
}

/** The one that waits in the browser that asks for the page, or null where there is none: the page then has nothing to ask. */
export async function getWaitingSignIn(): Promise<WaitingSignIn | null> {
  const { cookies, sealer } = sharedWebAuth()
  const { name, purpose } = pendingSignIn
  const value = cookies.valueOf((await headers()).get('cookie'), name)
  const held = value && (await sealer.open(purpose, value, Date.now()))
  if (!held) return null
  const { expiresAtMillis } = held.content
  // The cookie may live a moment longer than what it tells of.
  return expiresAtMillis > Date.now() ? { expiresAt: new Date(expiresAtMillis) } : null
}
