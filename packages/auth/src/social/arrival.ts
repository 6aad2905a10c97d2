import { ValidationError } from '@svc/core'
import { normaliseEmail } from '../accounts/identifier.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import type { ProviderIdentity } from '../providers/provider.ts'
import type { KeptTokens } from './store.ts'

/** Somebody whom a provider knows, and what came with them. */
export interface Arrival {
  readonly provider: string
  readonly identity: ProviderIdentity
  /** None where an app has signed in. */
  readonly tokens: KeptTokens | null
  readonly channel: 'oauth' | 'native'
  readonly metadata?: Record<string, unknown> | undefined
  readonly locale: string
  readonly origin: RequestOrigin
  readonly now: Date
}

/** The address in our one form. Null for none, and for what is no address to us. */
export function addressOf({ email }: Pick<ProviderIdentity, 'email'>) {
  const normal = email === undefined ? null : normalForm(email)
  // Our form writes out a ligature and its like: a provider that has seen `ﬁ@…` has not seen `fi@…` (attack 17).
  const isSame = normal !== null && localPart(normal) === asciiLower(localPart(email ?? ''))
  return isSame ? normal : null
}

function normalForm(email: string) {
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}

const localPart = (email: string) => email.trim().split('@')[0] ?? ''
// `toLowerCase` would make a k of the sign for kelvin.
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
