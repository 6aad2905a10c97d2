import type { RawContext } from '@svc/core'
import { isLoopback } from '../delivery/delivery.ts'

/**
 * Whether the browser knows this server by a name of its own. A page of another site may make its
 * own name resolve to 127.0.0.1 and then read what is here as if it were its own (DNS rebinding),
 * but `Host` still has that name.
 */
export function isAskedHere({ req, server }: Pick<RawContext, 'req' | 'server'>) {
  const address = `http://${req.header('host') ?? ''}`
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return isLoopback(hostname) || hostnames(server.ownOrigins).includes(hostname)
}

const hostnames = (origins: ReadonlySet<string>) =>
  [...origins].map((origin) => new URL(origin).hostname)
