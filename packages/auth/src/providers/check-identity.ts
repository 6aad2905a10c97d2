import { type ProviderIdentity, ProviderRefusalError } from '../openid/provider.ts'

const longest = 255
// What is left of no id at all, where it was made text.
const noNames = new Set(['', 'null', 'undefined'])

/**
 * An application's own provider may pass on what it was told as it was: everybody without an id of their own would share
 * one account, and the text `false` would verify an address.
 */
export function checkIdentity(identity: ProviderIdentity): ProviderIdentity {
  const id: unknown = identity.providerUserId
  const isId = typeof id === 'string' && id.length <= longest && !/\p{Cc}/u.test(id)
  if (!isId || noNames.has(id)) throw new ProviderRefusalError('who has signed in has no usable id')
  const isVerified: unknown = identity.isEmailVerified
  if (typeof isVerified !== 'boolean') {
    throw new ProviderRefusalError('whether the address is verified is neither true nor false')
  }
  return identity
}
