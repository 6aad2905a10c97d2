import type { OAuthProvider } from '../../openid/provider.ts'
import { requireProvider } from '../browser/web-provider.ts'
import type { SocialNeeds } from '../held.ts'
import { NativeSignInUnsupportedError } from './errors.ts'

export type NativeProvider = OAuthProvider & Required<Pick<OAuthProvider, 'verifyNativeIdToken'>>

/** One whose id tokens this server takes. */
export function requireNativeProvider(auth: SocialNeeds<'providers'>, id: string): NativeProvider {
  const provider = requireProvider(auth, id)
  if (!isNative(provider)) throw new NativeSignInUnsupportedError()
  return provider
}

const isNative = (provider: OAuthProvider): provider is NativeProvider =>
  provider.verifyNativeIdToken !== undefined
