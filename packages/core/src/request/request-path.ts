/**
 * The segments of a request line's path, each decoded once; null if no route can match them. An
 * encoded slash, an empty or dot segment, a backslash, a NUL or a broken escape is refused here, so
 * that two readers of a path can never disagree about its route.
 */
export function pathSegments(target: string): string[] | null {
  const path = pathOf(target)
  if (plainPath.test(path)) return path.slice(1).split('/')
  if (!path.startsWith('/')) return null
  const decoded = path.slice(1).split('/').map(decodeSegment)
  return decoded.every(isPlainSegment) ? (decoded as string[]) : null
}

/**
 * Nearly every request has such a path: nothing to decode, no empty segment, none that begins with
 * a dot.
 */
const plainPath = /^\/$|^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+$/

function pathOf(target: string) {
  // A client may send the whole address on the request line (RFC 9112, 3.2.2).
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = origin.indexOf('?')
  return end < 0 ? origin : origin.slice(0, end)
}

function decodeSegment(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

function isPlainSegment(segment: string | null) {
  // oxlint-disable-next-line no-control-regex -- control characters are what it keeps out
  return segment !== null && segment !== '' && !/^\.\.?$|[/\\#\u0000-\u001f\u007f]/.test(segment)
}
