import type { RawContext } from '@svc/core'

/** The access token of a request, and whether it was sent as one that is bound to a key. Null if there is none. */
export function presentedToken({ incoming }: RawContext) {
  const [only, ...more] = incoming.headersDistinct.authorization ?? []
  const [, scheme, token] = /^(Bearer|DPoP) ([\w.-]+)$/i.exec(only ?? '') ?? []
  if (more.length > 0 || !scheme || !token) return null
  return { isBound: scheme.toLowerCase() === 'dpop', token }
}
