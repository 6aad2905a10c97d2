import type { RawContext } from '@svc/core'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { DpopKey } from '../dpop/read-dpop-proof.ts'
import type { OAuth2Client } from '../oauth2-clients/find-client.ts'
import type { TokenForm } from './contract.ts'

/** A request for tokens, of a client that has shown who it is. */
export interface TokenRequest {
  client: OAuth2Client
  form: TokenForm
  /** The key that the tokens are to be bound to. */
  key: DpopKey | null
  raw: RawContext
  origin: RequestOrigin
  /** Before anything was asked of the database: whoever came then could not have seen an answer given later. */
  arrivedAt: Date
}
