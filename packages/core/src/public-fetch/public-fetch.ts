import { askPublic, type PublicAnswer, type PublicFetchOptions } from './ask-public.ts'

export type { PublicAnswer, PublicFetchOptions } from './ask-public.ts'
export { isPublicAddress, PublicFetchError } from './public-address.ts'

/**
 * Asks an address that a user or another stranger has given. It has to be https, at a name whose addresses are all
 * public; redirects are not followed. Throws a `PublicFetchError` where it can't be asked.
 */
export function fetchPublic(
  address: URL,
  { method, headers, body, isNamed, maxBytes, timeoutMillis }: PublicFetchOptions = {},
): Promise<PublicAnswer> {
  // Named one by one: what replaces DNS and the network is for tests alone.
  return askPublic(address, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(isNamed && { isNamed }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(timeoutMillis !== undefined && { timeoutMillis }),
  })
}
