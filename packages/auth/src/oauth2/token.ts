import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { type DpopKey, readDpopProof } from '../dpop/read-dpop-proof.ts'
import { authenticateClient } from '../oauth2-clients/authenticate-client.ts'
import type { OAuth2Client } from '../oauth2-clients/find-client.ts'
import type { TokenAnswer, TokenForm } from './contract.ts'
import { OAuth2Error } from './errors.ts'
import { redeemCode } from './redeem-code.ts'
import { refresh } from './refresh.ts'

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

const byGrantType = new Map<string, (auth: Auth, request: TokenRequest) => Promise<TokenAnswer>>([
  ['authorization_code', redeemCode],
  ['refresh_token', refresh],
])

interface Given {
  raw: RawContext
  form: TokenForm
  origin: RequestOrigin
}

export async function tokensFor(auth: Auth, { raw, form, origin }: Given): Promise<TokenAnswer> {
  const arrivedAt = auth.clock.now()
  await auth.limits.take('oauth2 token by address', origin.address)
  if (form.grant_type === undefined) {
    throw new OAuth2Error({ error: 'invalid_request', message: 'The grant_type is missing.' })
  }
  const give = byGrantType.get(form.grant_type)
  if (!give) throw new OAuth2Error({ error: 'unsupported_grant_type' })
  const client = await authenticateClient(auth, raw, form)
  const key = await readDpopProof(auth, raw)
  if (client.isDpopBound && !key) {
    throw new OAuth2Error({ error: 'invalid_dpop_proof', message: 'This client binds its tokens.' })
  }
  return give(auth, { client, form, key, raw, origin, arrivedAt })
}
