import type { HandlerContext } from '../../routes/routes.ts'
import type { StreamGrant } from './stream-tokens.ts'

/**
 * Implemented by a package that authenticates users, so that streams end with the credentials that
 * opened them.
 */
export interface StreamCredentials {
  /** The user of an authenticated request for a stream; null if it is not signed. */
  identify(c: HandlerContext): StreamGrant | null
  /**
   * For each, in this order, a text that changes with the rights of its owner; null if it may no
   * longer have a stream. A failure of the database is thrown: it is no refusal.
   */
  standing(grants: readonly StreamGrant[]): Promise<(string | null)[]>
}
