import type { KeyRegistration } from '../device-key/device-key.ts'
import type { Operations } from './access.ts'

/**
 * What the web proxy does for an operation besides signing it: it makes the keys that browsers
 * register, and keeps in sealed cookies what no script may read. A setup is a mailed link that was
 * opened: its secret is stored under the setup's name.
 */
export type BrowserEffect =
  | 'signs in'
  | 'signs out'
  | 'signs out here'
  | 'ends keys'
  | 'rotates the key'
  // A program's key: the caller was given its public half.
  | 'takes a foreign key'
  | `opens setup ${string}`
  | `finishes setup ${string}`
  | 'asks for the second factor'
  | 'proves the second factor'
  | 'shows a code'
  | 'asks with the code'
  | 'leaves for a provider'
  | 'leaves to link'
  | 'comes back from a provider'
  | 'binds the session'
  | 'asks to renew the session'
  | 'renews the session'

/** An operation with the members of a new key in its body. */
interface TakesKey {
  readonly '~input': {
    readonly body: { readonly properties: Readonly<Record<keyof KeyRegistration, object>> }
  }
}

/** The operations that register a key. */
export type KeyRegistering<All extends Operations> = {
  [Name in keyof All]: All[Name] extends TakesKey ? Name : never
}[keyof All]

/** Operations by their names, with what the web proxy does around each. */
export type BrowserEffects = Readonly<Record<string, BrowserEffect>>
