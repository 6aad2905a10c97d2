import type { Clock } from '@svc/core'
import type { KeySets } from '../openid/key-sets.ts'
import type { ProviderSettings } from '../openid/provider-settings.ts'
import type { Endpoints } from './endpoints.ts'

/** What a built-in provider is made of. */
export interface ProviderNeeds {
  readonly settings: ProviderSettings
  readonly endpoints: Endpoints
  readonly keys: KeySets
  readonly clock: Clock
}
