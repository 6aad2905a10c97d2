import { UnauthorizedError } from '@svc/core/client'
import type { Contents, CookieName, Purpose, Sealed } from '../session/session.ts'
import type { Turn } from './outcome.ts'

/** A cookie in which the browser keeps, sealed, what a later call of the same flow needs. */
export interface SealedCookie<For extends Purpose> {
  readonly name: CookieName
  readonly purpose: For
  /** The message if the browser doesn't have it, or no longer. */
  readonly absent: string
}

interface Given<For extends Purpose> {
  readonly content: Contents[For]
  readonly lifeMillis: number
}

export async function setSealed<For extends Purpose>(
  { web }: Turn,
  { name, purpose }: SealedCookie<For>,
  { content, lifeMillis }: Given<For>,
) {
  const value = await web.sealer.seal(purpose, content, Date.now() + lifeMillis)
  return web.cookies.set(name, { value, maxAgeSeconds: lifeMillis / 1000 })
}

export async function openSealed<For extends Purpose>(turn: Turn, sealed: SealedCookie<For>) {
  const opened = await heldSealed(turn, sealed)
  if (opened) return opened.content
  throw new UnauthorizedError({ message: sealed.absent })
}

/** The content and when it expires, or null. */
export async function heldSealed<For extends Purpose>(
  { web, call }: Turn,
  { name, purpose }: SealedCookie<For>,
): Promise<Sealed<For> | null> {
  const value = web.cookies.valueOf(call.request.headers.get('cookie'), name)
  return value === null ? null : web.sealer.open(purpose, value, Date.now())
}
