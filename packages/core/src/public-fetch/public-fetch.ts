import { askPublic, type PublicAnswer, type PublicFetchOptions } from './ask-public.ts'

export type { PublicAnswer, PublicFetchOptions } from './ask-public.ts'
export { isPublicAddress, PublicFetchError } from './public-address.ts'

/**
 * Asks an address that you can't trust, for example one that a user has given. It has to be https,
 * at a name whose addresses are all public. Redirects are not followed. Throws a `PublicFetchError`
 * if the address can't be asked.
 */
export function fetchPublic(
  address: URL,
  { method, headers, body, isNamed, maxBytes, timeoutMillis }: PublicFetchOptions = {},
): Promise<PublicAnswer> {
  // Named one by one: the options that replace DNS and the network are only for tests.
  return askPublic(address, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(isNamed && { isNamed }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(timeoutMillis !== undefined && { timeoutMillis }),
  })
}
