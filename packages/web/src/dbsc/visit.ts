import { authRouteMap } from '@svc/auth'
import { BadRequestError, type SignRequest } from '@svc/core/client'
import type { WebEnv } from '../env.ts'
import { callApi, forwardedHeaders } from '../proxy/proxy.ts'
import type { BoundBrowser } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'
import { boundSessionPaths } from './paths.ts'

/** One request of a browser about a bound session. */
export interface Visit {
  readonly request: Request
  readonly web: WebAuth
  /** Signs as the web proxy. */
  readonly vouch: SignRequest
}

interface Signed {
  readonly body: object
  readonly sign: SignRequest
}

// A browser delays the calls of its pages until it has its proof.
const timeoutMillis = 10_000

/** Calls the API as the session's own key. */
export function askApi(
  { request, web, vouch }: Visit,
  name: 'rotateKey' | 'listKeys',
  { body, sign }: Signed,
) {
  const headers = forwardedHeaders(request.headers)
  const call = { request, name, operation: authRouteMap[name], input: { body }, headers, sign }
  return callApi(call, { apiUrl: web.env.SVC_API_URL, timeoutMillis, vouch })
}

/** A structured field that is a string. Browsers send it with its quotes and, older ones, without. */
export function stringField(request: Request, name: string) {
  return request.headers.get(name)?.replace(/^"(.*)"$/, '$1') ?? null
}

/**
 * The same refusal for every fault of a proof. The browser then forgets the session, as it should.
 */
export const proofRefused = () =>
  new BadRequestError({ message: 'This is not a valid proof of a key for this session.' })

export type Header = [name: string, value: string]

/** An answer to one browser. */
export function answerBrowser(
  body: object,
  { status = 200, headers = [] }: { status?: number; headers?: Header[] } = {},
) {
  const answer = Response.json(body, { status })
  for (const [name, value] of headers) answer.headers.append(name, value)
  answer.headers.set('cache-control', 'no-store')
  answer.headers.set('cross-origin-resource-policy', 'same-origin')
  answer.headers.set('x-content-type-options', 'nosniff')
  return answer
}

/** `none`: no page has caused it. */
const ownSites = ['same-origin', 'none']

/**
 * Whether no other site has caused a request. A browser that acts by itself sends neither header; a
 * request that a page causes has one of them.
 */
export function isOwnRequest(request: Request, env: WebEnv) {
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  const origin = request.headers.get('origin')
  return (
    ownSites.includes(site) && (origin === null || ownHosts(request, env).includes(hostOf(origin)))
  )
}

function ownHosts({ url }: Request, env: WebEnv) {
  const appUrl = env.NEXT_PUBLIC_SVC_APP_URL ?? env.SVC_APP_URL
  return [new URL(url).host, ...(appUrl ? [new URL(appUrl).host] : [])]
}

/** `null`, which sandboxed frames send, has no host. */
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : '')

/** Tells the browser which cookie it must have, and where it gets it. */
export function instructions({ cookies }: WebAuth, { sessionId }: BoundBrowser) {
  return {
    session_identifier: sessionId,
    refresh_url: boundSessionPaths.refresh,
    scope: { include_site: false },
    credentials: [{ type: 'cookie', ...cookies.described('svc_session_proof') }],
  }
}

/** Ends the session that the browser keeps a key for, but none of its cookies. */
export function endInstructions(sessionId: string) {
  return { session_identifier: sessionId, continue: false }
}
