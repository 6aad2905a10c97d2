import type { IncomingMessage } from 'node:http'
import { BadRequestError, ForbiddenError } from '../../errors/contract.ts'
import { isSubprotocol, tokenPrefix } from '../../events/contract.ts'
import { parseQuery } from '../../request/request.ts'

/** RFC 6455, 4.2.1: what a handshake must have. */
export function refuseUnusable({ method, httpVersion, headers }: IncomingMessage) {
  const key = headers['sec-websocket-key'] ?? ''
  // Its bytes would be taken for frames here, and perhaps for something else by a proxy in between.
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
  const isUsable =
    method === 'GET' &&
    !hasBody &&
    httpVersion === '1.1' &&
    headers.host !== undefined &&
    /^[\w+/]{22}==$/.test(key) &&
    headers['sec-websocket-version'] === '13' &&
    areProtocols(offeredProtocols(headers))
  if (!isUsable)
    throw new BadRequestError({ message: 'This is not a WebSocket handshake of version 13.' })
}

/** RFC 6455, 4.1: none of them may be repeated. */
function areProtocols(offered: readonly string[]) {
  return offered.every(isSubprotocol) && new Set(offered).size === offered.length
}

function offeredProtocols(headers: IncomingMessage['headers']) {
  const list = headers['sec-websocket-protocol']
  return list === undefined ? [] : list.split(/[ \t]*,[ \t]*/)
}

/**
 * Browsers let any page open a socket to any host, and send its cookies along. The Origin says
 * which page it is. Other clients send none, and could send any.
 */
export function refuseForeignOrigin({ headers }: IncomingMessage, listed: readonly string[]) {
  const { origin, host = '' } = headers
  if (origin === undefined || listed.includes(origin)) return
  if (!isSame(origin, host)) {
    throw new ForbiddenError({ message: 'Pages of this origin may not connect.' })
  }
}

/** A Host has no scheme: with that of the page, its port may be the default one. */
function isSame(origin: string, host: string) {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  // Browsers don't send such an origin for a page, for example `app://` with the name of this
  // server.
  if (page.origin !== origin) return false
  const asked = `${page.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === page.host
}

/** A browser can set no header of a handshake except this list. */
export function presentedTokens({ headers, url = '' }: IncomingMessage) {
  const tokens = offeredProtocols(headers).filter((each) => each.startsWith(tokenPrefix))
  const inQuery = [parseQuery(url).token ?? []].flat()
  return [...tokens.map((each) => each.slice(tokenPrefix.length)), ...inQuery]
}
