import { defaultHost } from './env.ts'

export interface StreamPlace {
  /** The backend. `NEXT_PUBLIC_SVC_API_URL`, else `http://localhost:8790`, unless set. */
  host?: string
  /** The stream's path. */
  pathname?: string
  /** @deprecated The full URL, instead of `host` and `pathname`. */
  url?: string
}

/**
 * The address of the stream. A `url` may be relative to the page, which is unknown on a server that
 * renders the page.
 */
export function placeOf({ host, pathname, url }: StreamPlace, initialPathname: string): URL {
  const backend = (host ?? defaultHost()).replace(/\/$/, '')
  return new URL(url ?? `${backend}${pathname ?? initialPathname}`, globalThis.location?.href)
}

interface Asked {
  /** If undefined, the server chooses. */
  readonly events?: readonly string[] | undefined
  readonly token?: string | undefined
  /** For clients that can't set the header. */
  readonly lastEventId?: string
}

// In characters. A longer id is useless, because no server accepts it.
const longestId = 1024

/** Each name is encoded by itself, so that a comma in a name is not a separator (decisions 11). */
export function streamUrl(place: URL, { events, token, lastEventId = '' }: Asked): string {
  const isResumed = lastEventId !== '' && lastEventId.length <= longestId
  const url = new URL(place)
  const pairs = [
    ...(url.search ? [url.search.slice(1)] : []),
    ...(events ? [`events=${events.map((name) => encodeURIComponent(name)).join(',')}`] : []),
    ...(token === undefined ? [] : [`token=${encodeURIComponent(token)}`]),
    // JSON may contain half characters, for which the other encoder would throw.
    ...(isResumed ? [new URLSearchParams({ lastEventId }).toString()] : []),
  ]
  url.search = pairs.join('&')
  url.hash = ''
  return url.href
}
