import type { Stream } from './stream.ts'
import type { WebSocketOptions } from './stream-options.ts'

type Options = Pick<WebSocketOptions, 'maxConnections' | 'maxConnectionsPerSubject'>

/** How many sockets there may be (E-074, E-075). */
export function createPlaces({ maxConnections = 10_000, maxConnectionsPerSubject = 0 }: Options) {
  const bySubject = new Map<string, Set<Stream>>()
  let taken = 0
  return {
    /** False when there is no room. */
    take() {
      if (taken >= maxConnections) return false
      taken += 1
      return true
    },
    /** False when its subject has as many as it may. */
    takeFor(stream: Stream) {
      const subject = stream.grant?.subject
      if (maxConnectionsPerSubject === 0 || subject === undefined) return true
      const streams = bySubject.get(subject) ?? new Set()
      if (streams.size >= maxConnectionsPerSubject) return false
      bySubject.set(subject, streams.add(stream))
      return true
    },
    leave(stream: Stream) {
      taken -= 1
      const subject = stream.grant?.subject ?? ''
      const streams = bySubject.get(subject)
      if (streams?.delete(stream) && streams.size === 0) bySubject.delete(subject)
    },
  }
}
