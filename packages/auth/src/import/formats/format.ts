import type { FirebaseParameters } from '../../passwords/passwords.ts'
import type { RefusalReason } from '../imported-user.ts'
import type { GivenUser } from '../read-user.ts'
import type { Fields } from '../records.ts'

export interface FormatContext {
  /** The parameters of the Firebase project, if given. */
  readonly firebase: FirebaseParameters | null
  readonly now: Date
}

/** How a system writes a user. The values are validated later. */
export type Format = (fields: Fields, context: FormatContext) => GivenUser | RefusalReason
