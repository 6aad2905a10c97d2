import type { HandlerContext } from '../../routes/routes.ts'
import type { StreamGrant } from './stream-tokens.ts'

/** What a package that signs people in tells of them, so that streams end with the credentials they were opened by. */
export interface StreamCredentials {
  /** Whose stream an authenticated request asks for; null when it is not signed. */
  identify(c: HandlerContext): StreamGrant | null
  /**
   * For each, in this order, a text that changes with what its owner may do; null when it may have no stream any more.
   * A failure of the database is thrown: it is no refusal.
   */
  standing(grants: readonly StreamGrant[]): Promise<(string | null)[]>
}
