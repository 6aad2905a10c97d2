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
  if (email === undefined) return null
  try {
    return normaliseEmail(email)
  } catch (error) {
    if (error instanceof ValidationError) return null
    throw error
  }
}
