import { NotFoundError } from '@svc/core'
import type { Needs } from '../../auth.ts'
import type { OAuthProvider } from '../../openid/provider.ts'
import { findProvider } from '../../providers/registry.ts'
import { WebSignInUnsupportedError } from './errors.ts'

export function requireProvider({ providers }: Needs<'providers'>, id: string): OAuthProvider {
  const provider = findProvider(providers, id)
  if (!provider) throw new NotFoundError({ resource: 'provider' })
  return provider
}

/** One that this server can send browsers to. */
export function requireWebProvider(auth: Needs<'providers'>, id: string): OAuthProvider {
  const provider = requireProvider(auth, id)
  if (!provider.web) throw new WebSignInUnsupportedError()
  return provider
}
