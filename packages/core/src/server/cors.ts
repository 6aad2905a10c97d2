import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CrossOriginRule } from '../definition/definition.ts'
import type { Dispatch } from '../http/http.ts'

/**
 * Lets pages of the listed origins read answers. Credentials stay off: a signed request needs no
 * cookie, and without cookies no site can act as a signed-in user.
 */
export function withOrigins(rules: readonly CrossOriginRule[], dispatch: Dispatch): Dispatch {
  if (rules.length === 0) return dispatch
  return (incoming, outgoing) => {
    outgoing.setHeader('vary', 'Origin')
    const allowed = allowedOrigin(rules, incoming)
    if (allowed) allow(allowed, outgoing)
    if (allowed && isPreflight(incoming)) answerPreflight(incoming, outgoing)
    else dispatch(incoming, outgoing)
  }
}

function allowedOrigin(rules: readonly CrossOriginRule[], { headers, url = '/' }: IncomingMessage) {
  const { origin } = headers
  if (origin === undefined) return null
  const [path = '/'] = url.split('?', 1)
  const rule = rules.find(
    ({ origins, includes }) => (origins === 'any' || origins.includes(origin)) && includes(path),
  )
  return rule ? (rule.origins === 'any' ? '*' : origin) : null
}

// The last three belong to OAuth and to the Model Context Protocol, which agents in browsers use.
const exposed =
  'etag, location, retry-after, x-request-id, www-authenticate, dpop-nonce, mcp-session-id'

function allow(origin: string, outgoing: ServerResponse) {
  outgoing.setHeader('access-control-allow-origin', origin)
  outgoing.setHeader('access-control-expose-headers', exposed)
}

/** The question of a browser before a request that a form could not send. */
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
