import { defineJob } from '@svc/core'
import { authOn } from './auth.ts'
import { forgetCodes } from './codes/forget-codes.ts'
import { forgetContactChanges } from './contact/forget-contact-changes.ts'
import { forgetRequests } from './device/forget-requests.ts'
import { forgetAttempts } from './limits/forget-attempts.ts'
import { forgetLinks } from './links/forget-links.ts'
import { forgetUnfinished } from './mfa/forget-factors.ts'
import { forgetGrants } from './oauth2/forget-grants.ts'
import { forgetClients } from './oauth2-clients/forget-clients.ts'
import { forgetSpent } from './once/spend-once.ts'
import { forgetTokens } from './one-time-token/forget-tokens.ts'
import { forgetChallenges } from './passkeys/forget-passkeys.ts'
import { forgetPending } from './social/browser/forget-pending.ts'

/** Sweeps what has expired and can have no effect any more. */
export const forgetExpired = defineJob('auth.forget-expired')
  .cron('17 * * * *')
  .handler(async (_input, { db, clock }) => {
    const now = clock.now()
    await forgetSpent(db, now)
    await forgetTokens(db, now)
    await forgetAttempts(db, now)
    await forgetCodes(db, now)
    await forgetLinks(db, now)
    await forgetRequests(db, now)
    await forgetContactChanges(db, now)
    await forgetUnfinished(db, now)
    await forgetChallenges(db, now)
    await forgetPending(db, now)
    // Before clients, which are kept while they have a grant.
    await forgetGrants(db, now)
    await authOn(db).successors.clear()
    await forgetClients(db, now)
  })
