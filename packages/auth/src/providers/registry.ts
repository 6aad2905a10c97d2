import type { OAuthProvider } from '../openid/provider.ts'
import { addSocialProvider, type SocialProvider } from '../openid/social-providers.ts'

/** Those of this service that are built in, whether configured or not. */
export type BuiltinProviders = ReadonlyMap<SocialProvider, OAuthProvider>

const registered = new Map<SocialProvider, OAuthProvider>()

/** Adds a provider, or puts one in the place of another with the same id: before a server starts. */
export function registerOAuthProvider(provider: OAuthProvider): void {
  addSocialProvider(provider.id)
  registered.set(provider.id, provider)
}

/** What the application has registered counts before what is built in. */
export function findProvider(builtin: BuiltinProviders, id: string): OAuthProvider | null {
  return registered.get(id) ?? builtin.get(id) ?? null
}

export function allProviders(builtin: BuiltinProviders): OAuthProvider[] {
  return [...new Map([...builtin, ...registered]).values()]
}
