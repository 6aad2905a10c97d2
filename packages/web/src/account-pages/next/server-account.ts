import { type AuthContract, type AuthSession, authRouteMap } from '@svc/auth'
import type { Api } from '@svc/core/client'
import { cache } from 'react'
import { createServerApi, getSession } from '../../guards/guards.ts'

/**
 * The operations of sign-in, as the visitor. It's better to render a page without this data than
 * not at all.
 */
export const serverAuthApi: () => Api<AuthContract> = createServerApi<AuthContract>({
  routeMap: authRouteMap,
  timeoutMillis: 3000,
})

/** The session of the visitor, or none while the API is down. */
export function knownSession() {
  return getSession().catch(() => null)
}

/** The devices of the visitor, asked for once for each page. */
export const knownKeys = cache(() => serverAuthApi().listKeys.call({ body: {} }))

/** The support sessions that are open on the account. While the API is away there are none to show. */
export async function openSupport(session: AuthSession | null) {
  if (!session?.supportConsent) return []
  try {
    const { keys } = await knownKeys()
    return keys.filter(({ kind, isExpired }) => kind === 'support' && !isExpired)
  } catch {
    return []
  }
}

/**
 * The providers that browsers can sign in with. None while the API is down: the form says so when
 * it is sent.
 */
export async function webProviders() {
  try {
    const { providers } = await serverAuthApi().providers.call()
    return providers.filter(({ web }) => web).map(({ id }) => id)
  } catch {
    return []
  }
}

/** The name by which users know their account. */
export function accountName({ email, phone, publicId }: AuthSession) {
  return email ?? phone ?? publicId
}
