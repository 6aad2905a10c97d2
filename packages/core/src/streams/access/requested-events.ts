import { ValidationError } from '../../errors/contract.ts'

/**
 * The names in `?events=a,b`. Each is percent-encoded by itself; a client that encodes the whole list, commas too, is
 * understood as well. Null when the query does not name any.
 */
export function requestedEvents(target: string, known: readonly string[]): string[] | null {
  const lists = rawValues(target, 'events')
  if (lists.length === 0) return null
  const names = lists.flatMap((list) => list.split(',')).flatMap((raw) => split(decode(raw), known))
  if (names.length === 0 || !names.every((name) => known.includes(name))) return refuseEvents()
  return [...new Set(names)]
}

function rawValues(target: string, name: string) {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : ''
  return query
    .split('&')
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
}

function split(name: string, known: readonly string[]) {
  return known.includes(name) ? [name] : name.split(',')
}

function decode(raw: string) {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '))
  } catch {
    return refuseEvents()
  }
}

export function refuseEvents(): never {
  const message = 'must name events of this stream, separated by commas'
  throw new ValidationError({ fields: [{ path: 'query.events', message }] })
}
