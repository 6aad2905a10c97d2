import { randomUUID } from 'node:crypto'
import { type Db, defineJob, type OutputOf, type Tx, t } from '@svc/core'
import { fetchPublic, PublicFetchError } from '@svc/core/fetch'
import { readProfile } from '../../accounts/accounts.ts'
import { keyRevokedEvent } from '../../events.ts'
import { inTransaction } from '../../in-transaction.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import { keyFor, signLogoutToken } from '../id-tokens/id-tokens.ts'
import { agentServiceOn } from '../verify-access-token.ts'
import { endSessions, endSessionsOfDeadKeys } from './sessions.ts'

const Ended = t.Object({ sid: t.String(), sub: t.String(), clientId: t.String() })

/** Tells one application that a user has signed out (OpenID Connect Back-Channel Logout). A failure is tried again. */
export const openidLogout = defineJob('auth.openid-logout')
  .input(Ended)
  .handler((ended, { db }) => tell(agentServiceOn(db), ended))

/** Ends the sessions of keys that have ended, at all applications: one job for each, so that none waits for another. */
export const openidSessionsEnd = defineJob('auth.openid-sessions-end')
  .on(keyRevokedEvent)
  .handler(({ keyIds }, { db }) =>
    inTransaction(db, async (tx) => tellOf(tx, await endSessions(tx, keyIds))),
  )

/** The same for keys that have ended without an event, until none is left. */
export async function endDeadSessions(db: Db) {
  let ended = 1
  while (ended > 0) {
    ended = await inTransaction(db, async (tx) => {
      const sessions = await endSessionsOfDeadKeys(tx)
      await tellOf(tx, sessions)
      return sessions.length
    })
  }
}

async function tellOf(tx: Tx, sessions: Awaited<ReturnType<typeof endSessions>>) {
  for (const { sid, clientId, userId } of sessions) {
    const found = await readProfile(tx, userId)
    if (found) await openidLogout.enqueue({ sid, sub: found.account.publicId, clientId })
  }
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

// As long as a request may take, with clocks that differ.
const lifeSeconds = 120

async function tell(auth: AgentService, { sid, sub, clientId }: OutputOf<typeof Ended>) {
  const client = auth.openid?.clients.get(clientId)
  const key = auth.openid && keyFor(auth.openid.keys, client?.idTokenAlgorithm)
  // The application is not listed any more, or does not want to be told.
  if (!client?.logoutUri || !key) return
  const iat = Math.floor(auth.clock.now().getTime() / 1000)
  const token = await signLogoutToken(key, {
    iss: authorizationServerOf(auth).issuer,
    sub,
    aud: clientId,
    iat,
    exp: iat + lifeSeconds,
    jti: randomUUID(),
    sid,
    events: { [logoutEvent]: {} },
  })
  const { status } = await fetchPublic(new URL(client.logoutUri), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    // The operator has named it: it may be inside the network.
    isNamed: true,
    // Only the status counts, not the page that comes with it, however long it is.
    maxBytes: 0,
  })
  if (status < 200 || status > 299) throw new PublicFetchError(`${clientId} answered ${status}`)
}
