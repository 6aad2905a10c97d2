import type { StreamCredentials, StreamGrant } from '@svc/core'
import type { Needs } from '../auth.ts'
import { type CallerRow, callerFrom, callerOf } from '../caller/caller.ts'
import { mustChangePassword, refuseKeyless } from './accept-caller.ts'

type StreamNeeds = Needs<'callers' | 'clock' | 'configuration'>

/** A stream is valid as long as the key that opened it, and the key's account, are. */
export function createStreamCredentials(auth: StreamNeeds): StreamCredentials {
  async function standingOf(grant: StreamGrant) {
    const row = await auth.callers(grant.credential ?? '')
    return row && mayStream(auth, row, grant) ? rightsOf(row) : null
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

function rightsOf(row: CallerRow) {
  const { roles, inactiveRoles, permissions } = callerFrom(row)
  return JSON.stringify([roles, inactiveRoles, permissions])
}
