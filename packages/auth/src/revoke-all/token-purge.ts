import { defineJob } from '@svc/core'
import { purgeRevokeAllLinks } from '../links/forget-links.ts'

const dayMillis = 86_400_000

/** Forgets sign-out-everywhere links a week after they expired, and a day after they were used or replaced. */
export const revokeAllTokenPurge = defineJob('auth.revoke-all-token-purge')
  .cron('0 6 * * *')
  .handler((_input, { db, clock }) => {
    const now = clock.now().getTime()
    const expiredBy = new Date(now - 7 * dayMillis)
    return purgeRevokeAllLinks(db, { expiredBy, endedBy: new Date(now - dayMillis) })
  })
