import type { ProviderSettings, WebClient } from '../openid/provider-settings.ts'

/** What the server is for a provider, where it is configured for the web: no way leads to it elsewhere. */
export function webClient({ web }: ProviderSettings): WebClient {
  if (!web) throw new Error('The provider is not configured for sign-in on the web')
  return web
}
