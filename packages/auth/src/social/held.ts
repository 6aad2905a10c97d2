import type { HeldBy } from '../capability/capability.ts'
import type { RedirectUris } from '../openid/redirect-uris.ts'
import type { BuiltinProviders } from '../providers/registry.ts'
import type { ResultPages } from './browser/result-pages.ts'
import type { socialContract } from './contract.ts'

export interface Opened {
  /** Where people have accounts that they sign in here with. */
  readonly providers: BuiltinProviders
  readonly redirectUris: RedirectUris
  /** Seals what a browser carries to a provider and back. */
  readonly stateKey: Uint8Array
  /** Where a browser is sent after a sign-in with a provider. */
  readonly resultPages: ResultPages
}

export type SocialHeld = HeldBy<typeof socialContract, { own: Opened }>

/** The part of it that a function uses. */
export type SocialNeeds<Part extends keyof SocialHeld> = Pick<SocialHeld, Part>
