import { Resolver } from 'node:dns/promises'
import { isPublicAddress } from './public-address.ts'
import { PublicFetchError } from './public-fetch-error.ts'

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
