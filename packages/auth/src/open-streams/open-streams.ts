import type { OpenStream, RunningStreams } from '@svc/core'
import { goneAccount, labelsOf } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { refuseAbove } from '../roles/roles.ts'
import type { OpenStreamItem } from './contract.ts'
import { StreamNotFoundError } from './errors.ts'

interface StreamsAsked {
  userId?: string | undefined
  subject?: string | undefined
  after?: string | undefined
  limit?: number | undefined
}

interface Listing {
  reader: Pick<Caller, 'permissions'>
  query: StreamsAsked
}

export async function listStreams(
  { db }: Needs<'db'>,
  streams: RunningStreams,
  { reader, query: { userId: owner, ...query } }: Listing,
) {
  const { streams: found, ...meta } = await streams.list({ owner, ...query })
  const data = found.map(streamItem)
  if (!reader.permissions.includes('user:read')) return { success: true as const, data, meta }
  const labels = await labelsOf(
    db,
    data.map(({ userId }) => userId),
  )
  const named = data.map((item): OpenStreamItem => {
    const { userId } = item
    return { ...item, ...(userId && { account: labels.get(userId) ?? goneAccount(userId) }) }
  })
  return { success: true as const, data: named, meta }
}

interface Ending {
  caller: FreshCaller
  streamId: string
  origin: RequestOrigin
}

/**
 * Of an account that ranks below the caller's, or the caller's own. The entry is written when the
 * stream has ended, because no row says that it was open.
 */
export async function endStream(
  { db, clock }: Needs<'db' | 'clock'>,
  streams: RunningStreams,
  { caller, streamId, origin }: Ending,
) {
  const open = await streams.find(streamId)
  if (!open) throw new StreamNotFoundError()
  const { userId: owner } = streamItem(open)
  if (owner !== undefined && owner !== caller.userId) await refuseAbove(db, caller, owner)
  const ended = await streams.endOne(streamId)
  if (!ended) throw new StreamNotFoundError()
  const { userId: target, keyId, kind } = streamItem(ended)
  await recordAudit(db, {
    act: 'stream.ended',
    actor: caller.userId,
    target: target ?? null,
    details: { streamId, kind, ...(keyId !== undefined && { keyId }) },
    origin,
    at: clock.now(),
  })
}

/** Only a stream that a key has opened is known to be an account's. */
function streamItem({ id: streamId, owner, credential, ...shown }: OpenStream): OpenStreamItem {
  const account = credential === undefined || owner === undefined ? {} : { userId: owner }
  return {
    streamId,
    ...shown,
    events: [...shown.events],
    ...account,
    ...(credential !== undefined && { keyId: credential }),
  }
}
