import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Dispatch } from './dispatch.ts'

/**
 * Lets pages of the listed origins read answers. Credentials stay off: a signed request needs no cookie, and without
 * them no site can act as somebody else.
 */
export function withOrigins(origins: readonly string[], dispatch: Dispatch): Dispatch {
  if (origins.length === 0) return dispatch
  return (incoming, outgoing) => {
    outgoing.setHeader('vary', 'Origin')
    const { origin } = incoming.headers
    const listed = origin !== undefined && origins.includes(origin)
    if (listed) allow(origin, outgoing)
    if (listed && isPreflight(incoming)) answerPreflight(incoming, outgoing)
    else dispatch(incoming, outgoing)
  }
}

function allow(origin: string, outgoing: ServerResponse) {
  outgoing.setHeader('access-control-allow-origin', origin)
  outgoing.setHeader('access-control-expose-headers', 'etag, location, retry-after, x-request-id')
}

/** What a browser asks before it sends a request that a form could not. */
function isPreflight({ method, headers }: IncomingMessage) {
  return method === 'OPTIONS' && 'access-control-request-method' in headers
}

function answerPreflight({ headers }: IncomingMessage, outgoing: ServerResponse) {
  const asked = headers['access-control-request-headers']
  outgoing.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-max-age': '600',
    ...(asked && { 'access-control-allow-headers': asked }),
  })
  outgoing.end()
}
