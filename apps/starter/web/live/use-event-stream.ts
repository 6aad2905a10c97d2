import { createAuthSSEClient } from '@svc/core/client'
import { type StreamListeners, useStream } from '@svc/web/react'
import { useCallback } from 'react'
import type { eventRouter } from 'starter-api/events'
import { streamPlace } from '../env.ts'
import { useReceived } from './received.ts'

/** Notices over server-sent events: one connection for all tabs in which the same person is signed in. */
export function useEventStream(userId: string) {
  const { received, receive } = useReceived()
  const open = useCallback(
    (listeners: StreamListeners) => {
      const client = createAuthSSEClient<typeof eventRouter>({
        ...streamPlace,
        shareAcrossTabs: userId,
      })
      client.subscribe({ ...listeners, handlers: { notice: receive } })
      return client
    },
    [userId, receive],
  )
  return { received, status: useStream(open) }
}
