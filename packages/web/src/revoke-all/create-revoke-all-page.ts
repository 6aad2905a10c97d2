import { HttpError } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { readWebEnv, type WebEnv } from '../env.ts'
import { pageAnswer } from '../page/page-answer.ts'
import { voucher } from '../proxy-guard/vouch.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { drawStage, drawUnavailable, type RevokeAllStage } from './draw-stage.ts'
import { csrfCookie, expiredCsrfCookie, isOwnForm, mintCsrfToken } from './page-csrf.ts'
import { hiddenFields, readFields } from './page-form.ts'
import { isRefusal, type RevokeAllApi, revokeAllApi } from './revoke-all-api.ts'

export interface RevokeAllPageOptions {
  /** Draws the body of the page, in HTML. At `confirm` it has to hold the stage's `hiddenFields` in its form. */
  render?: (stage: RevokeAllStage) => string | Promise<string>
  /** Where the variables are read from; the process's own unless given. */
  env?: EnvironmentSource
}

interface Visit {
  readonly request: Request
  readonly render: NonNullable<RevokeAllPageOptions['render']>
  readonly api: RevokeAllApi
  readonly isSecure: boolean
}

type Handler = (request: Request) => Promise<Response>

/**
 * The page that a mailed sign-out-everywhere link opens. Only its button changes anything: mail programs open links
 * before people do.
 */
export function createRevokeAllPage({ render = drawStage, env }: RevokeAllPageOptions = {}): {
  GET: Handler
  POST: Handler
} {
  let known: WebEnv | undefined
  const visit = (request: Request): Visit => {
    // Not before the first request: while Next builds there are no variables.
    known ??= env ? readWebEnv(env) : sharedWebAuth().env
    const { SVC_API_URL, SVC_AUTH_COOKIE_SECURE: isSecure } = known
    const api = revokeAllApi(SVC_API_URL, voucher(known)(request.headers))
    return { request, render, api, isSecure }
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
  // Whatever comes of it, the form has had its one use.
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

const titles = {
  confirm: 'Sign out everywhere',
  done: 'Signed out everywhere',
  invalid: 'Link does not work',
}

async function shown({ render }: Visit, stage: RevokeAllStage, cookie?: string) {
  const body = await render(stage)
  if (stage.name === 'confirm' && !body.includes(stage.hiddenFields)) {
    throw new TypeError('What render draws for the stage confirm lacks its hiddenFields.')
  }
  const status = stage.name === 'invalid' ? 404 : 200
  return pageAnswer({ status, title: titles[stage.name], body, ...(cookie && { cookie }) })
}

interface Failure {
  error: unknown
  token: string
  cookie?: string
}

async function failed(visit: Visit, { error, token, cookie }: Failure) {
  if (!(error instanceof HttpError)) throw error
  if (isRefusal(error)) return shown(visit, { name: 'invalid' }, cookie)
  console.error('The page that signs out everywhere has no answer from the API.', error)
  const page = { status: 503, title: 'Not right now', body: drawUnavailable(token) }
  return pageAnswer({ ...page, ...(cookie && { cookie }) })
}
