import type { FirebaseParameters } from '../../passwords/passwords.ts'
import type { RefusalReason } from '../imported-user.ts'
import type { GivenUser } from '../read-user.ts'
import type { Fields } from '../records.ts'

export interface FormatContext {
  /** Of the Firebase project, where they were given. */
  readonly firebase: FirebaseParameters | null
  readonly now: Date
}

/** How a system writes a person down. Its values are looked at afterwards. */
export type Format = (fields: Fields, context: FormatContext) => GivenUser | RefusalReason
