import type { CallerReader } from '../caller/caller.ts'
import type { HeldBy } from '../capability/capability.ts'
import type { supportContract } from './contract.ts'

export interface SupportOptions {
  /** With `code`, an operator needs a code that the owner of the account makes on a device of theirs. */
  consent?: 'none' | 'code'
}

/** What an operator needs of an owner; undefined where support sessions are off. */
export function consentOf(options?: SupportOptions) {
  return options && (options.consent ?? 'none')
}

export interface SupportOwn {
  readonly consent: ReturnType<typeof consentOf>
  readonly callers: CallerReader
  /** What stops listening for the ends of operators. */
  readonly stops: (() => void)[]
}

export type SupportHeld = HeldBy<typeof supportContract, { own: SupportOwn }>
