import { type AuthApi, createAuthApi, RevokeAllLinkError } from '@svc/auth'
import { HttpError, type SignRequest, ValidationError } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { html } from '@svc/core/html'
import { base64url } from 'jose'
import { readWebEnv, type WebEnv } from '../env.ts'
import {
  isSentByOwnPage,
  type Place,
  pageAnswer,
  pageCookie,
  pageCookieName,
  readForm,
} from '../page/page.ts'
import { voucher } from '../proxy-guard/proxy-guard.ts'
import { cookieValues } from '../session/session.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { drawStage, drawUnavailable, type RevokeAllStage } from './draw-stage.ts'
import { english, type PageWords, wordsFor } from './page-words.ts'

export type { RevokeAllStage } from './draw-stage.ts'

/** For `createRevokeAllPage`: your own page in place of ours. */
export interface RevokeAllPageOptions {
  /**
   * Draws the body of the page, in HTML. At `confirm`, its form must contain the stage's
   * `hiddenFields`.
   */
  render?: (stage: RevokeAllStage) => string | Promise<string>
  /** Where to read the variables from; the process's own unless given. */
  env?: EnvironmentSource
}

interface Visit {
  readonly request: Request
  readonly render: NonNullable<RevokeAllPageOptions['render']>
  readonly words: PageWords
  readonly api: RevokeAllApi
  readonly isSecure: boolean
}

type Handler = (request: Request) => Promise<Response>

/**
 * The page that a mailed sign-out-everywhere link opens. Only its button changes anything: mail programs open links
 * before people do.
 */
export function createRevokeAllPage({ render, env }: RevokeAllPageOptions = {}): {
  GET: Handler
  POST: Handler
} {
  let known: WebEnv | undefined
  const visit = (request: Request): Visit => {
    // Not before the first request: while Next builds, there are no variables.
    known ??= env ? readWebEnv(env) : sharedWebAuth().env
    const { SVC_API_URL, SVC_AUTH_COOKIE_SECURE: isSecure } = known
    const api = revokeAllApi(SVC_API_URL, voucher(known)(request.headers))
    const words = render ? english : wordsFor(request)
    const draw = render ?? ((stage: RevokeAllStage) => drawStage(stage, words))
    return { request, render: draw, words, api, isSecure }
  }
  return {
    GET: (request) => confirm(visit(request)),
    POST: (request) => consume(visit(request)),
  }
}

async function confirm(visit: Visit) {
  const token = new URL(visit.request.url).searchParams.get('token') ?? ''
  try {
    const found = await visit.api.confirmRevokeAllLink.call({ body: { token } })
    const csrf = mintCsrfToken()
    const stage = { ...found, expiresAt: new Date(found.expiresAt), name: 'confirm' } as const
    const fields = hiddenFields({ token, csrf })
    return await shown(visit, { ...stage, hiddenFields: fields }, csrfCookie(visit, csrf))
  } catch (error) {
    return failed(visit, { error, token })
  }
}

async function consume(visit: Visit) {
  // The form can be used once, even if the request is refused.
  const cookie = expiredCsrfCookie(visit)
  const { token, csrf } = await readFields(visit.request)
  if (!(await isOwnForm(visit, csrf))) return shown(visit, { name: 'invalid' }, cookie)
  try {
    const { revokedCount } = await visit.api.consumeRevokeAllLink.call({ body: { token } })
    return await shown(visit, { name: 'done', revokedCount }, cookie)
  } catch (error) {
    return failed(visit, { error, token, cookie })
  }
}

async function shown({ render, words }: Visit, stage: RevokeAllStage, cookie?: string) {
  const body = await render(stage)
  if (stage.name === 'confirm' && !body.includes(stage.hiddenFields)) {
    throw new TypeError('render must draw the hiddenFields of the stage confirm.')
  }
  const status = stage.name === 'invalid' ? 404 : 200
  const page = { status, lang: words.lang, title: words.titles[stage.name], body }
  return pageAnswer({ ...page, ...(cookie && { cookie }) })
}

interface Failure {
  error: unknown
  token: string
  cookie?: string
}

async function failed(visit: Visit, { error, token, cookie }: Failure) {
  if (!(error instanceof HttpError)) throw error
  if (isRefusal(error)) return shown(visit, { name: 'invalid' }, cookie)
  console.error('The page that signs out everywhere got no response from the API.', error)
  const { lang, titles } = visit.words
  const page = { status: 503, lang, title: titles.unavailable }
  const body = drawUnavailable(token, visit.words)
  return pageAnswer({ ...page, body, ...(cookie && { cookie }) })
}

const name = 'svc_revoke_all_csrf'
const sameSite = 'Strict'

/** 32 random bytes: without a session, there is nothing to derive a token from. */
function mintCsrfToken() {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}

/** The cookie that the form's token is compared with. Only this page gets it. */
function csrfCookie(place: Place, token: string) {
  return pageCookie(place, name, { value: token, maxAgeSeconds: 15 * 60, sameSite })
}

function expiredCsrfCookie(place: Place) {
  return pageCookie(place, name, { value: '', maxAgeSeconds: 0, sameSite })
}

/** Whether the form was drawn for this browser, by this page. */
async function isOwnForm({ request, isSecure }: Place, token: string) {
  if (!isSentByOwnPage(request) || !/^[\w-]{43}$/.test(token)) return false
  const held = cookieValues(request.headers.get('cookie'), pageCookieName(isSecure, name))
  const matches = await Promise.all(held.slice(0, 3).map((each) => areEqual(each, token)))
  return matches.includes(true)
}

/** In constant time: WebCrypto compares, under a random key. */
async function areEqual(one: string, other: string) {
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify'])
  const mac = await crypto.subtle.sign('HMAC', key, bytesOf(one))
  return crypto.subtle.verify('HMAC', key, mac, bytesOf(other))
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

interface Fields {
  token: string
  csrf: string
}

function hiddenFields({ token, csrf }: Fields) {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="csrf" value="${csrf}">`.toString()
}

/** The fields of the page's form. */
async function readFields(request: Request): Promise<Fields> {
  const form = await readForm(request)
  return { token: form.get('token') ?? '', csrf: form.get('csrf') ?? '' }
}

/** The two operations of a mailed link. The token travels in the body. */
type RevokeAllApi = Pick<AuthApi, 'confirmRevokeAllLink' | 'consumeRevokeAllLink'>

function revokeAllApi(baseUrl: string, sign: SignRequest): RevokeAllApi {
  return createAuthApi({ baseUrl, sign })
}

/**
 * Whether the API has refused the link. Other errors say nothing about it. A token of the wrong
 * form is refused by its schema.
 */
function isRefusal(error: HttpError) {
  return error instanceof RevokeAllLinkError || error instanceof ValidationError
}
