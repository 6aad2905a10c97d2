import { domainToASCII } from 'node:url'
import { ValidationError } from '@svc/core'
import { normaliseEmail } from '../../accounts/identifier.ts'
import type { RequestOrigin } from '../../caller/request-origin.ts'
import type { ProviderIdentity } from '../../openid/provider.ts'
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
  return normal !== null && isAsSeen(normal, email ?? '') ? normal : null
}

/**
 * Our form writes out a ligature and its like: a provider that has seen `ﬁ@…` has not seen `fi@…` (attack 17). Only
 * capitals, and what the DNS takes for the same domain, may have been written otherwise.
 */
function isAsSeen(normal: string, email: string) {
  const [local = '', domain = ''] = email.trim().split('@')
  return normal === `${asciiLower(local)}@${domainToASCII(domain)}`
}

function normalForm(email: string) {
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}

// `toLowerCase` would make a k of the sign for kelvin.
const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
