import { isIP } from 'node:net'
import { forwardedAddress, withoutMapping } from './forwarded-address.ts'
import type { RawContext } from './raw-context.ts'

type Asked = Pick<RawContext, 'incoming' | 'server'> & {
  readonly vouchedAddress?: string | undefined
}

/**
 * The caller's address: the socket's, unless the web proxy or trusted proxies before this server
 * name another one.
 */
export function clientAddress({ incoming, server, vouchedAddress }: Asked): string | null {
  if (vouchedAddress) return vouchedAddress
  const header = incoming.headers['x-forwarded-for']
  const forwarded = forwardedAddress(header && String(header), server.trustedProxyHops)
  return isIP(forwarded) ? forwarded : withoutMapping(incoming.socket?.remoteAddress ?? '') || null
}
