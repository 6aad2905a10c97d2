import type { Tx } from '@svc/core'
import type { Needs } from '../auth.ts'
import { oauth2GrantedEvent } from '../events.ts'
import type { OAuth2Client } from '../oauth2-clients/find-client.ts'
import type { GrantRow } from './store.ts'

interface Granted {
  grant: GrantRow
  client: OAuth2Client
  now: Date
}

/** Says that a client has got its first tokens. */
export async function tellOfGrant(
  _tx: Tx,
  _auth: Needs<'notifier' | 'log'>,
  { grant, client }: Granted,
) {
  const { userId, grantId, clientId, scopes, resource } = grant
  await oauth2GrantedEvent.emit({
    userId,
    grantId,
    clientId,
    clientName: client.name,
    scopes,
    resource,
  })
}
