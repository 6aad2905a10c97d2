import type { AuthorizationServer } from '../authorization-server.ts'
import { OAuth2Error } from '../errors.ts'

/** The scopes that a client names, each once; the application's defaults if it names none. */
export function scopesNamed(server: AuthorizationServer, given: string | undefined) {
  const names = namesIn(given)
  if (names.length === 0) return [...server.defaultScopes]
  if (!names.every((name) => server.scopes.has(name))) throw invalidScope()
  return names
}

/** A part of what was granted before, never more. */
export function narrowed(granted: readonly string[], given: string | undefined) {
  const names = askedOf(granted, given)
  if (!names.every((name) => granted.includes(name))) throw invalidScope()
  return names
}

/** What a client asks for from a grant; all of it if it names nothing. */
export function askedOf(granted: readonly string[], given: string | undefined) {
  const names = namesIn(given)
  return names.length === 0 ? [...granted] : names
}

const namesIn = (given = '') => [...new Set(given.split(' ').filter((name) => name !== ''))]

/** Leaves out a scope that the application no longer has, even if it was granted before. */
export function stillGiven(
  { scopes }: Pick<AuthorizationServer, 'scopes'>,
  names: readonly string[],
) {
  return names.filter((name) => scopes.has(name))
}

/**
 * Scopes with the words that users are shown. One that the application has removed has only its
 * name.
 */
export function inWords({ scopes }: Pick<AuthorizationServer, 'scopes'>, names: readonly string[]) {
  return names.map((name) => ({ name, description: scopes.get(name) ?? name }))
}

export const invalidScope = () =>
  new OAuth2Error({
    error: 'invalid_scope',
    message: 'A scope is not one of scopes_supported, or not one that was granted.',
  })

interface Known {
  server: AuthorizationServer
  /** The names of this API: a path of it is the same resource under each of them. */
  ownOrigins: ReadonlySet<string>
}

/**
 * The resource that a client means (RFC 8707), as it was configured; null if tokens for it are not
 * issued.
 */
export function resourceNamed({ server, ownOrigins }: Known, given: string | undefined) {
  if (given === undefined) return server.resources[0]
  const url = URL.parse(given)
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return null
  const isOwn = ownOrigins.has(url.origin) || url.origin === server.issuer
  const path = isOwn && url.search === '' ? url.pathname : null
  const found = server.resources.find((each) => each === path || URL.parse(each)?.href === url.href)
  return found ?? null
}
