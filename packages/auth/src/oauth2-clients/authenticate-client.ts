import { clientAddress, type RawContext } from '@svc/core'
import { OAuth2Error } from '../authorization-server/errors.ts'
import { equal } from '../crypto/constant-time.ts'
import { hashToken } from '../crypto/token.ts'
import type { AgentService } from './agent-needs.ts'
import { clientOfAssertion } from './client-assertion.ts'
import { findClient, type OAuth2Client } from './find-client.ts'
import {
  type ClientCredentials,
  type ShownCredentials,
  shownCredentials,
} from './shown-credentials.ts'

export type { ClientCredentials }

/** The client that a request to the token endpoint comes from, once it has shown that it is. */
export async function authenticateClient(
  auth: AgentService,
  raw: RawContext,
  credentials: ClientCredentials,
): Promise<OAuth2Client> {
  const shown = shownCredentials(raw, credentials)
  const client = shown && (await findShown(auth, shown, clientAddress(raw)))
  if (client) return client
  // The scheme that it has used is named to it (RFC 6749, section 5.2).
  if (raw.req.header('authorization') !== undefined) {
    raw.header('www-authenticate', 'Basic realm="oauth2"')
  }
  throw new OAuth2Error({
    error: 'invalid_client',
    message:
      'The client is not known here, or has not shown that it is this one as it has registered to.',
  })
}

async function findShown(auth: AgentService, shown: ShownCredentials, address: string | null) {
  const { clientId, method, secret } = shown
  if (method === 'private_key_jwt') {
    return clientOfAssertion(auth, { clientId, assertion: secret, address })
  }
  const client = await findClient(auth, clientId, address)
  return isShown(client, shown) ? client : null
}

/** By the way that it has registered, and no other. Who is unknown takes as long. */
function isShown(
  client: OAuth2Client | null,
  { method, secret }: ShownCredentials,
): client is OAuth2Client {
  const isRight = equal(hashToken(secret), client?.secretHash ?? '')
  return client?.authMethod === method && (method === 'none' || isRight)
}
