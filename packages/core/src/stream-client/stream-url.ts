import { defaultHost } from './env.ts'

export interface StreamPlace {
  /** The backend. `NEXT_PUBLIC_SVC_API_URL`, else `http://localhost:8790`, unless set. */
  host?: string
  /** The stream's path. */
  pathname?: string
  /** @deprecated The full URL, instead of `host` and `pathname`. */
  url?: string
}

/** Where the stream is. A `url` may be relative to the page, which a server that renders the page does not have. */
export function placeOf({ host, pathname, url }: StreamPlace, initialPathname: string): URL {
  const backend = (host ?? defaultHost()).replace(/\/$/, '')
  return new URL(url ?? `${backend}${pathname ?? initialPathname}`, globalThis.location?.href)
}

interface Asked {
  /** Undefined leaves the choice to the server. */
  readonly events?: readonly string[] | undefined
  readonly token?: string | undefined
  /** Where it cannot go into a header. */
  readonly lastEventId?: string
}

// In characters. One that no server takes is as good as none.
const longestId = 1024

/** Names are encoded one by one, so that a comma in a name does not separate (decisions 11). */
export function streamUrl(place: URL, { events, token, lastEventId = '' }: Asked): string {
  const isResumed = lastEventId !== '' && lastEventId.length <= longestId
  const url = new URL(place)
  const pairs = [
    ...(url.search ? [url.search.slice(1)] : []),
    ...(events ? [`events=${events.map((name) => encodeURIComponent(name)).join(',')}`] : []),
    ...(token === undefined ? [] : [`token=${encodeURIComponent(token)}`]),
    // JSON may bring halves of characters, of which the other encoder would throw.
    ...(isResumed ? [new URLSearchParams({ lastEventId }).toString()] : []),
  ]
  url.search = pairs.join('&')
  url.hash = ''
  return url.href
}
