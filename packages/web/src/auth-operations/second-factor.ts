import type { PortableKey } from '@svc/auth'
import type { Turn } from './outcome.ts'
import { openSealed, type SealedCookie, setSealed } from './sealed-cookie.ts'

// As long as the server waits for the second factor unless it is told otherwise.
const lifeMillis = 10 * 60_000

const pending: SealedCookie<'mfa pending'> = {
  name: 'svc_mfa_pending',
  purpose: 'mfa pending',
  absent: 'No sign-in waits here any more. Sign in again.',
}

/** Keeps the key of a sign-in that waits for its second factor. The key signs nothing until it has been proved. */
export function setPending(turn: Turn, key: PortableKey) {
  return setSealed(turn, pending, { content: key, lifeMillis })
}

/** The key of the sign-in that waits in this browser. Without it the server would activate a key that nobody has. */
export function openPending(turn: Turn) {
  return openSealed(turn, pending)
}

export function clearPending({ web }: Turn) {
  return web.cookies.clear(pending.name)
}
