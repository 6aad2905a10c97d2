import type { StreamCredentials, StreamGrant } from '@svc/core'
import type { Needs } from '../auth.ts'
import { type CallerRow, callerFrom, callerOf } from '../caller/caller.ts'
import { mustChangePassword, refuseKeyless } from './accept-caller.ts'

type StreamNeeds = Needs<'callers' | 'clock' | 'configuration' | 'hasTenants'>

/** A stream is valid as long as the key that opened it, and the key's account, are. */
export function createStreamCredentials(auth: StreamNeeds): StreamCredentials {
  async function standingOf(grant: StreamGrant) {
    const row = await auth.callers(grant.credential ?? '')
    return row && mayStream(auth, row, grant) ? rightsOf(auth, row) : null
  }

  return {
    identify(c) {
      const caller = callerOf(c)
      if (!caller) return null
      refuseKeyless(caller)
      return { subject: caller.userId, credential: caller.keyId }
    },
    // All are read in one turn, so they are one statement.
    standing: (grants) => Promise.all(grants.map(standingOf)),
  }
}

/** A caller whose requests would be refused gets no events. */
function mayStream(auth: StreamNeeds, row: CallerRow, { owner, subject }: StreamGrant) {
  const isLive = row.state === 'active' && row.keyExpiresAt > auth.clock.now()
  const mayAct = row.status === 'active' && !mustChangePassword(auth, row)
  return isLive && mayAct && row.userId === (owner ?? subject)
}

function rightsOf({ clock, hasTenants }: StreamNeeds, row: CallerRow) {
  const { roles, inactiveRoles, permissions } = callerFrom(row)
  const facts = hasTenants ? factsAt(clock.now(), row) : []
  return JSON.stringify([roles, inactiveRoles, permissions, ...facts])
}

const hourMillis = 3_600_000

/** What a tenant may ask of its members. Time alone can end it, so each hour of a key is another one. */
function factsAt(now: Date, row: CallerRow) {
  const { email, emailVerifiedAt, secondFactorSince, authenticatedAt, lastUsedAt } = row
  const hoursSince = (moment: Date) => Math.floor((now.getTime() - moment.getTime()) / hourMillis)
  return [
    emailVerifiedAt && email,
    secondFactorSince !== null,
    hoursSince(authenticatedAt),
    hoursSince(lastUsedAt ?? authenticatedAt),
  ]
}
