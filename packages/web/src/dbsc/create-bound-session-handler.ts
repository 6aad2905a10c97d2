import { ForbiddenError, HttpError, NotFoundError } from '@svc/core/client'
import type { EnvironmentSource } from '@svc/core/env'
import { answerRefusal, type FetchHandler } from '../proxy/proxy.ts'
import { type VouchFor, voucher } from '../proxy-guard/proxy-guard.ts'
import { type WebAuth, webAuthOf } from '../web-auth.ts'
import { boundSessionPaths } from './paths.ts'
import { refresh } from './refresh.ts'
import { register } from './register.ts'
import { resume } from './resume.ts'
import { isOwnRequest, type Visit } from './visit.ts'

/** How a bound session knows the address of its browser, and which variables it reads. */
export interface BoundSessionHandlerOptions {
  /** The browser's address, if the host knows the socket. It wins over `SVC_TRUSTED_PROXY_HOPS`. */
  clientAddress?: (request: Request) => string | undefined
  /** Where to read the variables from; the process's own unless given. */
  env?: EnvironmentSource
}

type Step = (visit: Visit) => Promise<Response>

const posted = new Map<string, Step>([
  [boundSessionPaths.register, own(register)],
  [boundSessionPaths.refresh, own(refresh)],
])
const opened = new Map<string, Step>([[boundSessionPaths.resume, resume]])

/**
 * Answers a browser that binds a session to a key of its own (DBSC), and proves it regularly. Mount
 * it at `/api/session/*`.
 */
export function createBoundSessionHandler({
  clientAddress,
  env,
}: BoundSessionHandlerOptions = {}): { GET: FetchHandler; POST: FetchHandler } {
  let known: { web: WebAuth; vouchFor: VouchFor } | undefined
  const answer = (steps: ReadonlyMap<string, Step>) => async (request: Request) => {
    // Not before the first request: while Next builds, there are no variables.
    known ??= standing(webAuthOf(env))
    const vouch = known.vouchFor(request.headers, clientAddress?.(request))
    try {
      const step = steps.get(new URL(request.url).pathname)
      if (!step) throw new NotFoundError({ resource: 'Page' })
      return await step({ request, web: known.web, vouch })
    } catch (error) {
      if (error instanceof HttpError) return answerRefusal(error, request.headers)
      throw error
    }
  }
  return { GET: answer(opened), POST: answer(posted) }
}

const standing = (web: WebAuth) => ({ web, vouchFor: voucher(web.env) })

/**
 * Refuses requests of other sites: they come with our cookies, and the answer would reveal whether
 * a user is signed in.
 */
function own(step: Step): Step {
  return (visit) => {
    if (!isOwnRequest(visit.request, visit.web.env)) throw new ForbiddenError()
    return step(visit)
  }
}
