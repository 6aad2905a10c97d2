import { NotFoundError } from '@svc/core'
import type { OAuthProvider } from '../../openid/provider.ts'
import { findProvider } from '../../providers/registry.ts'
import type { SocialNeeds } from '../held.ts'
import { WebSignInUnsupportedError } from './errors.ts'

export function requireProvider(
  { providers }: SocialNeeds<'providers'>,
  id: string,
): OAuthProvider {
  const provider = findProvider(providers, id)
  if (!provider) throw new NotFoundError({ resource: 'provider' })
  return provider
}

/** One that this server can send browsers to. */
export function requireWebProvider(auth: SocialNeeds<'providers'>, id: string): OAuthProvider {
  const provider = requireProvider(auth, id)
  if (!provider.web) throw new WebSignInUnsupportedError()
  return provider
}
