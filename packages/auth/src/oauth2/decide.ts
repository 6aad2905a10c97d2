import type { RawContext } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import { OAuth2Error } from '../authorization-server/errors.ts'
import { type FreshCaller, type ProvableCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { requireFresh } from '../fresh-proof/fresh-caller.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { holdClient } from '../oauth2-clients/hold-client.ts'
import { answerAddress } from './answer-address.ts'
import {
  type AuthorizationRequest,
  readDestination,
  readRequest,
  unknownClient,
} from './authorization-request.ts'
import type { AuthorizationFields } from './contract.ts'
import { countGrants, insertOffer, mostGrants } from './store.ts'

interface Decision {
  caller: ProvableCaller
  fields: AuthorizationFields & { decision: 'allow' | 'deny' }
  raw: RawContext
  origin: RequestOrigin
}

const asked = { operation: 'createOAuth2AuthorizationCode', window: 'recent' } as const

/** What somebody has answered on the consent page: where to send their browser with it. */
export async function decide(auth: AgentService, { caller, fields, raw, origin }: Decision) {
  refuseKeyless(caller)
  await auth.limits.take('oauth2 consent by account', caller.userId)
  const destination = await readDestination(auth, fields, origin.address)
  const request = readRequest(auth, { destination, fields, raw })
  const { redirectUri } = request
  const answer =
    fields.decision === 'allow'
      ? { code: await offer(auth, { caller: requireFresh(auth, caller, asked), request, origin }) }
      : { error: 'access_denied', error_description: 'It was not allowed.' }
  return { redirectTo: answerAddress(auth, { redirectUri, state: fields.state }, answer) }
}

// A browser brings it to the client at once.
const codeMillis = 60_000

interface Offer {
  caller: FreshCaller
  request: AuthorizationRequest
  origin: RequestOrigin
}

/** A code that is good for one grant, soon, and for whoever knows the verifier of the challenge. */
async function offer(auth: AgentService, { caller, request, origin }: Offer) {
  const { userId } = caller
  const { client, redirectUri, scopes, resource, codeChallenge, keyThumbprint } = request
  const code = newToken()
  const now = auth.clock.now()
  const codeExpiresAt = new Date(now.getTime() + codeMillis)
  await auth.db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    const { generation } = account
    if ((await countGrants(tx, { userId, generation, now })) >= mostGrants) throw noRoom()
    const { clientId } = client
    if (!(await holdClient(tx, clientId))) throw unknownClient()
    const granted = { clientId, scopes, resource, redirectUri, codeChallenge, keyThumbprint }
    const madeByKeyId = caller.keyId
    await insertOffer(tx, account, {
      ...granted,
      madeByKeyId,
      codeHash: hashToken(code),
      codeExpiresAt,
      now,
    })
    const details = { clientId, scopes, resource }
    await recordAudit(tx, {
      act: 'oauth2.allowed',
      actor: userId,
      target: clientId,
      details,
      origin,
      at: now,
    })
  })
  return code
}

function noRoom() {
  const message = 'You have allowed too much: take some of it back first.'
  return new OAuth2Error({ error: 'access_denied', message })
}
