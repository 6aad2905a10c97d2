import { defineJob, type Tx } from '@svc/core'
import { heldOn, type OrganizationHeld } from '../membership/membership.ts'
import { missedBy } from './look-up.ts'
import * as store from './store.ts'

const dayMillis = 86_400_000
const atOnce = 10

/** Looks up each proved domain once a day. It runs more often, so that they are not looked up all at once. */
export const checkDomains = defineJob('organizations.check-domains')
  .cron('23 * * * *')
  .handler(async (_input, { db, signal }) => {
    const auth = heldOn(db)
    if (auth) await recheck(auth, signal)
  })

export async function recheck(auth: OrganizationHeld, signal?: AbortSignal) {
  const before = new Date(auth.clock.now().getTime() - dayMillis)
  for (;;) {
    const due = await store.due(auth.db, before, atOnce)
    await Promise.all(due.map((domain) => check(auth, domain)))
    if (due.length < atOnce || signal?.aborted) return
  }
}

async function check(auth: OrganizationHeld, stored: store.StoredDomain) {
  const { organizationId, domain, challenge, roles } = stored
  const isThere = (await missedBy(auth, stored)) === null
  const at = auth.clock.now()
  const found = { organizationId, domain, challenge, at }
  if (isThere) return store.keep(auth.db, found)
  const since = new Date(at.getTime() - store.windowMillis)
  return auth.db.transaction(async (tx: Tx) => {
    if (!(await store.end(tx, found, since))) return store.noteMissed(tx, found)
    // No user does this, so the entry names none.
    const details = { organizationId, domain, roles }
    return auth.audit(tx, 'organization.domain_ended', { target: domain, details, at })
  })
}
