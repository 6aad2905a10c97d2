import type { RawContext } from '@svc/core'
import { refuseKeyless } from '../../authenticate/authenticate.ts'
import type { Caller, FreshCaller, ProvableCaller, RequestOrigin } from '../../caller/caller.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { lockFresh, requireFresh } from '../../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../../in-transaction.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import { type AgentService, redirectHost } from '../clients/clients.ts'
import type { AuthorizationFields, Consent } from '../contract.ts'
import {
  type AuthorizationRequest,
  answerAddress,
  readDestination,
  readRequest,
} from './authorization-request.ts'
import { consenting, offerGrant, ownersFor } from './offer.ts'
import type { Asked } from './pass-on.ts'
import { inWords } from './scopes.ts'

/**
 * What a consent page shows. The page calls this with the signature of the user who is to agree.
 */
export async function describeRequest(
  auth: AgentService,
  { caller, raw, fields, origin }: Asked & { caller: Caller },
): Promise<Consent> {
  const destination = await readDestination(auth, fields, origin.address)
  const request = readRequest(auth, { destination, fields, raw })
  return { ...consentOf(auth, request), owners: await ownersFor(auth, caller) }
}

function consentOf(auth: AgentService, request: AuthorizationRequest) {
  const { client, redirectUri, resource } = request
  return {
    clientId: client.clientId,
    clientName: client.name,
    ...(client.uri && { clientUri: client.uri }),
    redirectHost: redirectHost(redirectUri),
    resource,
    scopes: inWords(authorizationServerOf(auth), request.scopes),
  }
}

interface Decision {
  caller: ProvableCaller
  fields: AuthorizationFields & { decision: 'allow' | 'deny'; owner?: string | undefined }
  raw: RawContext
  origin: RequestOrigin
}

const asked = { operation: 'createOAuth2AuthorizationCode', window: 'recent' } as const

/** The user's answer on the consent page. Returns where to send their browser with it. */
export async function decide(auth: AgentService, { caller, fields, raw, origin }: Decision) {
  refuseKeyless(caller)
  await auth.limits.take('oauth2 consent by account', caller.userId)
  const destination = await readDestination(auth, fields, origin.address)
  const request = readRequest(auth, { destination, fields, raw })
  const { redirectUri } = request
  const { owner } = fields
  const consent = () => ({ caller: requireFresh(auth, caller, asked), request, owner, origin })
  const answer =
    fields.decision === 'allow'
      ? { code: await offer(auth, consent()) }
      : { error: 'access_denied', error_description: 'The user did not allow it.' }
  return { redirectTo: answerAddress(auth, { redirectUri, state: fields.state }, answer) }
}

// A browser takes it to the client at once.
const codeMillis = 60_000

interface Offer {
  caller: FreshCaller
  request: AuthorizationRequest
  /** The id of a tenant. The user themselves unless set. */
  owner: string | undefined
  origin: RequestOrigin
}

/** Makes a code for one grant. It expires soon, and needs the verifier of the challenge. */
async function offer(auth: AgentService, { caller, request, owner, origin }: Offer) {
  const { client, redirectUri, scopes, resource, codeChallenge, keyThumbprint } = request
  const code = newToken()
  const now = auth.clock.now()
  const codeExpiresAt = new Date(now.getTime() + codeMillis)
  const codeHash = hashToken(code)
  const granted = { scopes, resource, redirectUri, keyThumbprint }
  // Before the transaction, because it is read on a connection of its own.
  const user = owner === undefined ? null : await consenting(auth, caller)
  await inTransaction(auth.db, async (tx) => {
    const own = await lockFresh(tx, caller)
    await offerGrant(tx, auth, {
      caller,
      own,
      user,
      client,
      owner,
      origin,
      now,
      granted: { ...granted, codeHash, codeChallenge, codeExpiresAt },
    })
  })
  return code
}
