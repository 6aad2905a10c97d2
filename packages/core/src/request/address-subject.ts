import { isIPv6 } from 'node:net'

/**
 * What an address is counted under. A client with one IPv6 address has its whole /64 and can change
 * addresses in it at will, so all of the /64 count as one.
 */
export function addressSubject(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address)
  const [mapped, high = 0, low = 0] = groups.slice(5)
  if (mapped === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups, in any notation. */
function groupsOf(address: string) {
  const [withoutZone = ''] = address.split('%')
  // The parser of URLs writes an embedded IPv4 address as two groups.
  const { hostname } = new URL(`http://[${withoutZone}]`)
  const [before = [], after = []] = hostname.slice(1, -1).split('::').map(written)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after]
}

const written = (part: string) =>
  part
    .split(':')
    .filter(Boolean)
    .map((group) => Number.parseInt(group, 16))
