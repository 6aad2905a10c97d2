import type { LoginResult, NewDeviceKey } from '@svc/auth/contract'
import { checkNewKey, type RequestOrigin } from '@svc/auth/server'
import { InvalidMagicLinkError } from './errors.ts'
import type { MagicLinkHeld } from './held.ts'
import { noteSignIn } from './store.ts'

/**
 * Spends the link and signs in, in one transaction: if the sign-in is refused, the link stays
 * valid.
 */
export async function signInByLink(
  auth: MagicLinkHeld,
  { token, ...fields }: NewDeviceKey & { token: string },
  origin: RequestOrigin,
): Promise<LoginResult> {
  // Before the link: an invalid key must not use it up.
  const key = checkNewKey(fields)
  const result = await auth.links.spend('sign_in', token, async (tx, { account }) => {
    if (!account) throw new InvalidMagicLinkError()
    const { userId } = account
    const now = auth.clock.now()
    const signIn = { ...account, key, origin, provider: 'email', now }
    const signedIn = await auth.ways.completeSignIn(tx, signIn)
    await auth.audit(tx, 'magic_link.used', { actor: userId, origin, at: now })
    if (!signedIn.mfaRequired) await noteSignIn(tx, { userId, address: origin.address, at: now })
    return signedIn
  })
  if (!result) throw new InvalidMagicLinkError()
  return result
}
