import type { RawContext } from '@svc/core'
import { OAuth2Error } from '../authorization-server/errors.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { hashToken } from '../crypto/token.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import {
  authenticateClient,
  type ClientCredentials,
} from '../oauth2-clients/authenticate-client.ts'
import { endGrant } from './end-grant.ts'
import { findToken } from './store.ts'

interface Given {
  raw: RawContext
  form: ClientCredentials & { token?: string | undefined }
  origin: RequestOrigin
}

/** A client is done: the grant of its token ends, with every other token of it (RFC 7009, section 2.1). */
export async function revokeToken(auth: AgentService, { raw, form, origin }: Given) {
  const client = await authenticateClient(auth, raw, form)
  if (form.token === undefined) {
    throw new OAuth2Error({ error: 'invalid_request', message: 'The token is missing.' })
  }
  const hash = hashToken(form.token)
  const found =
    (await findToken(auth.db, hash, 'refresh')) ?? (await findToken(auth.db, hash, 'access'))
  // Another client's token is as unknown as one that never was.
  if (found?.grant.clientId !== client.clientId) return {}
  await endGrant(auth, { grant: found.grant, reason: 'client', actor: null, origin })
  return {}
}
