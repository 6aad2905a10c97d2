import type { Service } from '../capability/provided.ts'
import type { Ways } from '../capability/ways.ts'
import type { RedirectUris } from '../openid/redirect-uris.ts'
import type { BuiltinProviders } from '../providers/registry.ts'
import type { ResultPages } from './result-pages.ts'

export interface Opened {
  /** Where people have accounts that they sign in here with. */
  readonly providers: BuiltinProviders
  readonly redirectUris: RedirectUris
  /** Seals what a browser carries to a provider and back. */
  readonly stateKey: Uint8Array
  /** Where a browser is sent after a sign-in with a provider. */
  readonly resultPages: ResultPages
}

/** What the functions of this folder are given. Its rooms lie below the contract that puts them together. */
export interface SocialHeld extends Service, Opened {
  readonly ways: Ways
}

/** The part of it that a function uses. */
export type SocialNeeds<Part extends keyof SocialHeld> = Pick<SocialHeld, Part>
