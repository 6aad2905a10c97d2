import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** The addresses of a host, or none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

// A registered name, with a dot in it. None ends in digits: such a host is an IP address.
const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const name = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)

/**
 * Resolves a host that a stranger named. All its addresses must be public. Otherwise an attacker
 * who controls the name could make us connect to the private one among them.
 */
export async function publicAddressesOf(
  { protocol, hostname, port, username, password }: URL,
  { resolve = resolveByDns, signal }: { resolve?: Resolve | undefined; signal: AbortSignal },
): Promise<string[]> {
  const isPlain = port === '' && username === '' && password === ''
  if (protocol !== 'https:' || !isPlain || hostname.length > 253 || !name.test(hostname)) {
    throw new PublicFetchError('not an https address of a named host')
  }
  const addresses = await resolve(hostname, signal)
  if (addresses.length === 0) throw new PublicFetchError('no address')
  if (!addresses.every(isPublicAddress)) throw new PublicFetchError('not a public address')
  return addresses
}

/** Asks only DNS: a file of this machine, or its search list, would give private names. */
const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/**
 * Addresses that are reserved for other uses than hosts of the internet: the registry of RFC 6890
 * as of 2026.
 */
const special = new BlockList()
const specialIPv4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local. Clouds serve a machine's credentials there.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // In no registry: the address where Azure serves metadata of a machine.
  ['168.63.129.16', 32],
]
const specialIPv6: [string, number][] = [
  // Teredo, ORCHID, benchmarking and others of the IETF.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 contains an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [network, prefix] of specialIPv4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIPv6) special.addSubnet(network, prefix, 'ipv6')

// The range that is assigned to hosts so far. Outside of it are loopback, link-local, unique local
// and multicast addresses, and those that contain an IPv4 address: mapped ones and NAT64.
const hostsOfIPv6 = new BlockList()
hostsOfIPv6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is on the public internet, where any host may be asked. */
export function isPublicAddress(address: string) {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && hostsOfIPv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/**
 * The address could not be read. The text is for the log: it says what went wrong, without the
 * address.
 */
export class PublicFetchError extends Error {
  override readonly name = 'PublicFetchError'
}
