import { ValidationError } from '../../errors/contract.ts'
import type { EventRouter } from '../../events/contract.ts'

/**
 * The names in `?events=a,b`. Each is percent-encoded by itself; a list that is encoded as a whole,
 * including its commas, works too. Null if the query names none. `?events=` is a stream that
 * follows nothing yet.
 */
export function requestedEvents(target: string, router: EventRouter): string[] | null {
  const lists = rawValues(target, 'events')
  if (lists.length === 0) return null
  if (router.hasChannels && lists.join('') === '') return []
  const isKnown = (name: string) => router.has(name)
  const names = lists
    .flatMap((list) => list.split(','))
    .flatMap((raw) => split(decode(raw), isKnown))
  if (names.length === 0 || !names.every(isKnown)) return refuseEvents()
  return [...new Set(names)]
}

function rawValues(target: string, name: string) {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : ''
  return query
    .split('&')
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
}

function split(name: string, isKnown: (name: string) => boolean) {
  return isKnown(name) ? [name] : name.split(',')
}

function decode(raw: string) {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return refuseEvents()
  }
}

export function refuseEvents(
  message = 'must name events of this stream, separated by commas',
  path = 'query.events',
): never {
  throw new ValidationError({ fields: [{ path, message }] })
}
