import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import type { NewDeviceKey } from '../keys/contract.ts'
import type { LoginResult } from '../login/contract.ts'
import { requireProvider } from '../oauth/web-provider.ts'
import { NativeSignInUnsupportedError } from './errors.ts'

export interface NativeBody extends NewDeviceKey {
  idToken: string
  nonce: string
  accessToken?: string | undefined
  profile?: { name?: string | undefined } | undefined
}

interface Native {
  raw: RawContext
  provider: string
  body: NativeBody
}

type NativeResult = LoginResult & { keyId: string; isNewUser: boolean }

export async function oauthNative(auth: Auth, { provider: id }: Native): Promise<NativeResult> {
  const provider = requireProvider(auth, id)
  if (!provider.verifyNativeIdToken) throw new NativeSignInUnsupportedError()
  throw new NativeSignInUnsupportedError()
}
