import { isIP } from 'node:net'
import type { RawContext } from './raw-context.ts'

/**
 * The caller's address: the socket's, unless trusted proxies stand before this server. Each of those appends the
 * address it saw to `X-Forwarded-For`, so only as many entries as there are trusted hops count, from the right; what
 * a client wrote itself is further left and is never read.
 */
export function clientAddress({ incoming, server }: RawContext) {
  const socket = withoutMapping(incoming.socket?.remoteAddress ?? '')
  if (server.trustedProxyHops === 0) return socket || null
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '').split(',')
  const vouched = withoutMapping((forwarded.at(-server.trustedProxyHops) ?? '').trim())
  return isIP(vouched) ? vouched : socket || null
}

/** `::ffff:192.0.2.1` is how a dual-stack socket writes 192.0.2.1. */
function withoutMapping(address: string) {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
