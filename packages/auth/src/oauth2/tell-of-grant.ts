import type { Tx } from '@svc/core'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import { oauth2GrantedEvent } from '../events.ts'
import { sendNotice } from '../notices/send-notice.ts'
import type { AgentNeeds } from '../oauth2-clients/agent-needs.ts'
import type { OAuth2Client } from '../oauth2-clients/find-client.ts'
import { redirectHost } from '../oauth2-clients/redirect-uri.ts'
import { inWords } from './scopes.ts'
import type { GrantRow } from './store.ts'

interface Granted {
  grant: GrantRow
  client: OAuth2Client
  now: Date
}

/** Says that a client has got its first tokens: to whoever listens, and by mail to the account's owner. */
export async function tellOfGrant(
  tx: Tx,
  auth: AgentNeeds<'notifier' | 'log' | 'appUrl' | 'env' | 'authorizationServer'>,
  { grant, client, now }: Granted,
) {
  const { userId, grantId, clientId, scopes, resource, redirectUri } = grant
  const { name: clientName } = client
  await oauth2GrantedEvent.emit({ userId, grantId, clientId, clientName, scopes, resource })
  const words = inWords(authorizationServerOf(auth), scopes)
  const facts = {
    clientName,
    host: redirectHost(redirectUri),
    scopes: words.map(({ description }) => description).join('; '),
    at: now.toISOString(),
    url: new URL(auth.env.SVC_AUTH_AGENTS_PATH, auth.appUrl).href,
  }
  await sendNotice(tx, auth, { userId, template: 'agent-connected', facts })
}
