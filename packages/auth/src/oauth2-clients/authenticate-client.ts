import type { RawContext } from '@svc/core'
import type { Auth } from '../auth.ts'
import { OAuth2Error } from '../oauth2/errors.ts'
import { findClient, type OAuth2Client } from './find-client.ts'

export interface ClientCredentials {
  client_id?: string | undefined
  client_secret?: string | undefined
}

/** The client that a request to the token endpoint comes from, once it has shown that it is. */
export async function authenticateClient(
  auth: Auth,
  _raw: RawContext,
  { client_id }: ClientCredentials,
): Promise<OAuth2Client> {
  const client = client_id === undefined ? null : await findClient(auth, client_id, null)
  if (!client) throw new OAuth2Error({ error: 'invalid_client' })
  return client
}
