import type { PortableKey } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import type { Turn } from './outcome.ts'

// As long as the server waits for the second factor unless it is told otherwise.
const pendingMillis = 10 * 60_000

/** Keeps the key of a sign-in that waits for its second factor. The key signs nothing until it has been proved. */
export async function sealPending({ web }: Turn, { keyId, algorithm, privateKey }: PortableKey) {
  const key: PortableKey = { keyId, algorithm, privateKey }
  const value = await web.sealer.seal('mfa pending', key, Date.now() + pendingMillis)
  return web.cookies.set('svc_mfa_pending', { value, maxAgeSeconds: pendingMillis / 1000 })
}

/** The key of the sign-in that waits in this browser. Without it the server would activate a key that nobody has. */
export async function pendingSignIn({ web, call }: Turn): Promise<PortableKey> {
  const value = web.cookies.valueOf(call.request.headers.get('cookie'), 'svc_mfa_pending')
  const pending = value && (await web.sealer.open('mfa pending', value, Date.now()))
  if (pending) return pending.content
  throw new UnauthorizedError({ message: 'No sign-in waits here any more. Sign in again.' })
}

export function clearPending({ web }: Turn) {
  return web.cookies.clear('svc_mfa_pending')
}
