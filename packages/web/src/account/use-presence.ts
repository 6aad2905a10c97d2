import type { ChannelPresence } from '@svc/core/client'
import { useCallback, useState } from 'react'

/** Who follows the channel of a resource. */
export interface Presence {
  /** Their ids, or null until the server has said who is there. */
  present: readonly string[] | null
  /**
   * A handler for the stream that follows the channel. It is the same function as long as the
   * resource is the same.
   */
  onPresence: (now: ChannelPresence) => void
}

/**
 * Keeps who follows the channel of this resource. A stream tells it, beside what else it carries:
 * `client.subscribe({ handlers, presence: { roomSaid: { [roomId]: onPresence } } })`.
 */
export function usePresence(resource: string): Presence {
  const [told, setTold] = useState<{ resource: string; present: readonly string[] } | null>(null)
  const onPresence = useCallback(
    ({ present }: ChannelPresence) => setTold({ resource, present }),
    [resource],
  )
  return { present: told?.resource === resource ? told.present : null, onPresence }
}
