import type { AuthorizationServer } from '../authorization-server/options.ts'

interface Known {
  server: AuthorizationServer
  /** What this API is called: a path of it is the same resource by each of its names. */
  ownOrigins: ReadonlySet<string>
}

/** The resource that a client means (RFC 8707), as it was configured; null when it is none that tokens are given for. */
export function resourceNamed({ server, ownOrigins }: Known, given: string | undefined) {
  if (given === undefined) return server.resources[0]
  const url = URL.parse(given)
  if (!url || url.hash !== '' || url.username !== '' || url.password !== '') return null
  const isOwn = ownOrigins.has(url.origin) || url.origin === server.issuer
  const path = isOwn && url.search === '' ? url.pathname : null
  const found = server.resources.find((each) => each === path || URL.parse(each)?.href === url.href)
  return found ?? null
}
