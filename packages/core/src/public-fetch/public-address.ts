import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** The addresses of a host, or none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

// A name with a dot in it, as it is registered. Nobody has one that ends in digits: such a host is an address.
const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
const name = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)

/**
 * Where a stranger's host is. All its addresses must be public: else whoever answers for the name could have us choose
 * the private one among them.
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

/** Asks DNS alone: a file of this machine, or its search list, would say what only it knows. */
const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  signal.removeEventListener('abort', cancel)
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/** What is set aside for something else than hosts of the internet: the registry of RFC 6890 as of 2026. */
const special = new BlockList()
const specialIPv4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, and where clouds tell a machine its credentials.
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
  // In no registry: what Azure tells a machine about itself.
  ['168.63.129.16', 32],
]
const specialIPv6: [string, number][] = [
  // Teredo, ORCHID, benchmarking and others of the IETF.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 has an IPv4 address within.
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [network, prefix] of specialIPv4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of specialIPv6) special.addSubnet(network, prefix, 'ipv6')

// All that has been given to hosts so far. Outside are loopback, link-local, unique local and multicast addresses, and
// those that have an IPv4 address within: mapped ones and NAT64.
const hostsOfIPv6 = new BlockList()
hostsOfIPv6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is one of the internet at large, where anybody may be asked something. */
export function isPublicAddress(address: string) {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false
  const version = isIP(address)
  if (version === 4) return !special.check(address, 'ipv4')
  return version === 6 && hostsOfIPv6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** It could not be read. Its text is for the log: what went wrong, without the address. */
export class PublicFetchError extends Error {
  override readonly name = 'PublicFetchError'
}
