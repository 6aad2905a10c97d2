import { getSession } from '@svc/web/next'

/** Whoever is signed in, for what is shown to everybody: while the API is away, nobody is. */
export function knownSession() {
  return getSession().catch(() => null)
}
