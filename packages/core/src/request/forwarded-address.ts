/**
 * What trusted proxies say of where a request came from. Each of those appends the address it saw to
 * `X-Forwarded-For`, so only as many entries as there are trusted hops count, from the right; what a client wrote
 * itself is further left and is never read. Whether it is an address, the reader has to see.
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

/** `::ffff:192.0.2.1` is how a dual-stack socket writes 192.0.2.1. */
export function withoutMapping(address: string) {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
