import type { RawContext } from '@svc/core'
import { OAuth2Error } from '../authorization-server/errors.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { readDpopProof } from '../dpop/read-dpop-proof.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { authenticateClient } from '../oauth2-clients/authenticate-client.ts'
import type { TokenAnswer, TokenForm } from './contract.ts'
import { redeemCode } from './redeem-code.ts'
import { refresh } from './refresh.ts'
import type { TokenRequest } from './token-request.ts'

const byGrantType = new Map<
  string,
  (auth: AgentService, request: TokenRequest) => Promise<TokenAnswer>
>([
  ['authorization_code', redeemCode],
  ['refresh_token', refresh],
])

interface Given {
  raw: RawContext
  form: TokenForm
  origin: RequestOrigin
}

export async function tokensFor(
  auth: AgentService,
  { raw, form, origin }: Given,
): Promise<TokenAnswer> {
  const arrivedAt = auth.clock.now()
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
