import type { RawContext } from '@svc/core'
import type { RequestOrigin } from '../caller/caller.ts'
import { authorizationServerOf } from './authorization-server.ts'
import {
  type AgentService,
  authenticateClient,
  type ClientCredentials,
  deviceGrantType,
  type OAuth2Client,
} from './clients/clients.ts'
import type { TokenAnswer, TokenForm } from './contract.ts'
import { redeemDeviceCode } from './device-grant/device-grant.ts'
import { readDpopProof } from './dpop/dpop.ts'
import { OAuth2Error } from './errors.ts'
import { exchange, tokenExchange } from './exchange.ts'
import { redeemCode, refresh, revokeToken, type TokenRequest } from './grants/grants.ts'
import { jwtBearer, redeemAssertion } from './identity-assertions/identity-assertions.ts'
import { redeemSignIn, revokeSignIn } from './openid/openid.ts'

const byGrantType = new Map<
  string,
  (auth: AgentService, request: TokenRequest) => Promise<TokenAnswer>
>([
  ['authorization_code', redeemCode],
  ['refresh_token', refresh],
  [tokenExchange, exchange],
  [deviceGrantType, redeemDeviceCode],
  [jwtBearer, redeemAssertion],
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
  const { grant_type: type } = form
  if (type === undefined) {
    throw new OAuth2Error({ error: 'invalid_request', message: 'The grant_type is missing.' })
  }
  const give = isOff(auth, type) ? undefined : byGrantType.get(type)
  if (!give) throw new OAuth2Error({ error: 'unsupported_grant_type' })
  const client = await authenticateClient(auth, raw, form)
  const key = await readDpopProof(auth, raw)
  if (client.isDpopBound && !key) {
    throw new OAuth2Error({
      error: 'invalid_dpop_proof',
      message: 'This client binds its tokens: send a DPoP proof.',
    })
  }
  const request = { client, form, key, raw, origin, arrivedAt }
  if (!signsIn(client)) return give(auth, request)
  if (type !== 'authorization_code') throw new OAuth2Error({ error: 'unauthorized_client' })
  return redeemSignIn(auth, request)
}

/** A client of the configuration signs users in. It gets no grant. */
const signsIn = ({ source }: OAuth2Client) => source === 'configuration'

interface Revocation extends Pick<Given, 'raw' | 'origin'> {
  form: ClientCredentials & { token?: string | undefined }
}

/** Ends what a token of the client gives access to (RFC 7009). */
export async function revoke(auth: AgentService, { raw, form, origin }: Revocation) {
  const client = await authenticateClient(auth, raw, form)
  const { token } = form
  if (token === undefined) {
    throw new OAuth2Error({ error: 'invalid_request', message: 'The token is missing.' })
  }
  return signsIn(client)
    ? revokeSignIn(auth, client, token)
    : revokeToken(auth, { client, token, origin })
}

function isOff(auth: AgentService, type: string) {
  if (type === deviceGrantType) return !authorizationServerOf(auth).deviceGrant
  if (type === jwtBearer) return !auth.identityProviders.isThereOne
  return type === tokenExchange && auth.exchangeClients.size === 0
}
