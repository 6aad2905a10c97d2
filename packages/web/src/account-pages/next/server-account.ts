import { type AuthContract, type AuthSession, authRouteMap } from '@svc/auth'
import type { Api } from '@svc/core/client'
import { createServerApi, getSession } from '../../guards/guards.ts'

/** The operations of sign-in, as the visitor. A page is better rendered without what it asks for than not at all. */
export const serverAuthApi: () => Api<AuthContract> = createServerApi<AuthContract>({
  routeMap: authRouteMap,
  timeoutMillis: 3000,
})

/** The session of the visitor. While the API is away there is none. */
export function knownSession() {
  return getSession().catch(() => null)
}

/** The providers that browsers can sign in with. While the API is away there are none: its form says so, once it is sent. */
export async function webProviders() {
  try {
    const { providers } = await serverAuthApi().providers.call()
    return providers.filter(({ web }) => web).map(({ id }) => id)
  } catch {
    return []
  }
}

/** What a user calls their account. */
export function accountName({ email, phone, publicId }: AuthSession) {
  return email ?? phone ?? publicId
}
