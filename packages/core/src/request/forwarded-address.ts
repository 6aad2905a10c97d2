/**
 * The origin of a request according to trusted proxies. Each of them appends the address that it
 * saw to `X-Forwarded-For`. So only as many entries count, from the right, as there are trusted
 * hops. What a client wrote itself is further left and is never read. The caller must check whether
 * it is an address.
 */
export function forwardedAddress(header: string | null | undefined, trustedHops: number): string {
  if (trustedHops === 0) return ''
  return withoutMapping(withoutPort((header?.split(',').at(-trustedHops) ?? '').trim()))
}

const withPort = /^(?:\[([^\]]*)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/

/** Some proxies append the port of the connection: `192.0.2.1:4711`, and `[2001:db8::1]:4711` with brackets. */
function withoutPort(entry: string) {
  const [, inBrackets, before] = withPort.exec(entry) ?? []
  return inBrackets ?? before ?? entry
}

/** A dual-stack socket writes 192.0.2.1 as `::ffff:192.0.2.1`. */
export function withoutMapping(address: string) {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
