import type { OAuthProvider } from '../openid/provider.ts'
import { allProviders, findProvider } from '../providers/registry.ts'
import { findRunningSocial } from './social-of.ts'

/** The provider of that id: what was registered, or else what is built into the running server. Null for none. */
export function getOAuthProvider(id: string): OAuthProvider | null {
  return findProvider(builtin(), id)
}

/** Every provider that there is, whether or not anybody can sign in with it. */
export function getRegisteredProviders(): OAuthProvider[] {
  return allProviders(builtin())
}

const builtin = () => findRunningSocial()?.providers ?? new Map()
