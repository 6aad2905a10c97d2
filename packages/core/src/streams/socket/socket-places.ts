import type { WebSocketOptions } from '../access/stream-options.ts'
import type { Stream } from '../delivery/stream.ts'

type Options = Pick<WebSocketOptions, 'maxConnections' | 'maxConnectionsPerSubject'>

/** How many sockets there may be (E-074, E-075). */
export function createPlaces({ maxConnections = 10_000, maxConnectionsPerSubject = 0 }: Options) {
  const taken = new Set<Stream>()
  const bySubject = new Map<string, number>()
  const areTaken = () => taken.size >= maxConnections

  function take(stream: Stream) {
    if (areTaken()) return 'too many connections'
    const subject = stream.grant?.subject
    if (maxConnectionsPerSubject > 0 && subject !== undefined) {
      const count = bySubject.get(subject) ?? 0
      if (count >= maxConnectionsPerSubject) return 'too many connections of this subject'
      bySubject.set(subject, count + 1)
    }
    taken.add(stream)
    return null
  }

  function leave(stream: Stream) {
    if (!taken.delete(stream)) return
    const subject = stream.grant?.subject ?? ''
    const count = bySubject.get(subject) ?? 0
    if (count > 1) bySubject.set(subject, count - 1)
    else bySubject.delete(subject)
  }

  return {
    areTaken,
    /** Says what there is no room for; null when the stream has its place. */
    take,
    /** Does nothing for one that has no place. */
    leave,
  }
}
