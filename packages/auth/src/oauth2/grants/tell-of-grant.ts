import type { Tx } from '@svc/core'
import { oauth2GrantedEvent } from '../../events.ts'
import { sendNotice } from '../../notices/notices.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { type AgentNeeds, type OAuth2Client, redirectHost } from '../clients/clients.ts'
import { inWords } from './scopes.ts'
import type { GrantRow } from './store.ts'

interface Granted {
  grant: GrantRow
  client: OAuth2Client
  now: Date
}

/** Emits the event that a client has got its first tokens. */
export function announceGrant({ grant, client }: Omit<Granted, 'now'>) {
  const { userId, grantId, clientId, scopes, resource, issuer } = grant
  const granted = { userId, grantId, clientId, clientName: client.name, scopes, resource }
  return oauth2GrantedEvent.emit({ ...granted, ...(issuer !== null && { issuer }) })
}

/** Reports the same to the owner of the account, by mail. */
export async function mailOfGrant(
  tx: Tx,
  auth: AgentNeeds<'notifier' | 'log' | 'appUrl' | 'env' | 'authorizationServer'>,
  { grant, client, now }: Granted,
) {
  const { userId, clientId, scopes, redirectUri, issuer } = grant
  const identifiedBy = client.source === 'document' ? URL.parse(clientId)?.host : undefined
  const words = inWords(authorizationServerOf(auth), scopes)
  const facts = {
    clientName: client.name,
    ...(isRedirected(grant) && { host: redirectHost(redirectUri) }),
    ...(identifiedBy !== undefined && { identifiedBy }),
    ...(issuer !== null && { allowedBy: new URL(issuer).host }),
    scopes: words.map(({ description }) => description).join('; '),
    at: now.toISOString(),
    url: new URL(auth.env.SVC_AUTH_AGENTS_PATH, auth.appUrl).href,
  }
  await sendNotice(tx, auth, { userId, template: 'agent-connected', facts })
}

/** A code that a program showed has no challenge. A redirect URI can be the address of the client's document, too. */
const isRedirected = ({ codeChallenge }: GrantRow) => codeChallenge !== ''
