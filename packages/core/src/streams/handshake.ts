import type { IncomingMessage } from 'node:http'
import { BadRequestError, ForbiddenError } from '../errors/errors.ts'
import { parseQuery } from '../request/query.ts'

/** Spoken by this server; a client names it beside its token, because browsers want one of theirs back. */
export const subprotocol = 'svc.v1'

const tokenPrefix = 'svc.token.'

/** RFC 6455, 4.2.1: what a handshake cannot do without. */
export function refuseUnusable({ method, headers }: IncomingMessage) {
  const key = headers['sec-websocket-key'] ?? ''
  const isUsable =
    method === 'GET' && /^[\w+/]{22}==$/.test(key) && headers['sec-websocket-version'] === '13'
  if (!isUsable)
    throw new BadRequestError({ message: 'This is no WebSocket handshake of version 13.' })
}

/**
 * Browsers let any page open a socket to anywhere and send its cookies along; the Origin tells whose page it is.
 * What is no browser sends none, and could send any.
 */
export function refuseForeignOrigin({ headers }: IncomingMessage, listed: readonly string[]) {
  const { origin, host } = headers
  if (origin === undefined || listed.includes(origin)) return
  const isSame = URL.canParse(origin) && new URL(origin).host === host
  if (!isSame) throw new ForbiddenError({ message: 'Pages of this origin may not connect.' })
}

/** A browser cannot set headers on a handshake, except for this list. */
export function presentedTokens({ headers, url = '' }: IncomingMessage) {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  const tokens = offered.filter((each) => each.startsWith(tokenPrefix))
  const inQuery = [parseQuery(url).token ?? []].flat()
  return [...tokens.map((each) => each.slice(tokenPrefix.length)), ...inQuery]
}
