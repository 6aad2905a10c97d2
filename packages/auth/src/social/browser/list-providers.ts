import { allProviders } from '../../providers/registry.ts'
import type { SocialNeeds } from '../held.ts'

/** Those that somebody can sign in with on this server: a page shows a button for each. */
export function listProviders({ providers }: SocialNeeds<'providers'>) {
  const all = allProviders(providers).map((provider) => ({
    id: provider.id,
    web: provider.web ?? false,
    native: 'verifyNativeIdToken' in provider,
  }))
  return { providers: all.filter(({ web, native }) => web || native) }
}
