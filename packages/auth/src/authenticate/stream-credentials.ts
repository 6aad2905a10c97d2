import type { StreamCredentials, StreamGrant } from '@svc/core'
import type { Needs } from '../auth.ts'
import { callerFrom } from '../caller/caller-from.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import { callerOf } from '../caller/context.ts'
import { refuseKeyless } from './refuse-keyless.ts'
import { mustChangePassword } from './refuse-password-change-required.ts'

/** A stream is as good as the key that asked for it, and as the account behind that is at any moment. */
export function createStreamCredentials({
  callers,
  clock,
}: Needs<'callers' | 'clock'>): StreamCredentials {
  async function standingOf(grant: StreamGrant) {
    const row = await callers(grant.credential ?? '')
    return row && mayStream(row, grant, clock.now()) ? rightsOf(row) : null
  }

  return {
    identify(c) {
      const caller = callerOf(c)
      if (!caller) return null
      refuseKeyless(caller)
      return { subject: caller.userId, credential: caller.keyId }
    },
    // Asked for in one turn, they are one statement.
    standing: (grants) => Promise.all(grants.map(standingOf)),
  }
}

/** Whoever would be refused with a request gets no event either. */
function mayStream(row: CallerRow, { owner, subject }: StreamGrant, now: Date) {
  const isLive = row.state === 'active' && row.keyExpiresAt > now
  const mayAct = row.status === 'active' && !mustChangePassword(row)
  return isLive && mayAct && row.userId === (owner ?? subject)
}

function rightsOf(row: CallerRow) {
  const { role, roleIsActive, permissions } = callerFrom(row)
  return JSON.stringify([role, roleIsActive, permissions])
}
