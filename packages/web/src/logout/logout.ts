import type { AuthSession, LogoutContract } from '@svc/auth'
import { HttpError, NotFoundError } from '@svc/core/client'
import {
  keptBefore,
  refusalOf,
  type ToSession,
  toSessionAndBack,
  type Ways,
} from '../consent/consent.ts'
import { createServerApi, visitor } from '../guards/guards.ts'
import { notePageFailure } from '../outage/outage.ts'

/** What the page asks the user, and where it goes on to. */
export interface LogoutFacts {
  /** The application that asks, if it says who it is. */
  readonly clientName?: string
  /** Where the user goes then. Without it, nowhere. */
  readonly redirectTo?: string
  readonly redirectHost?: string
  /** Whose account is signed in. */
  readonly account: string
  /** The application means the user of another account. */
  readonly isOther: boolean
  /** The key of the session that is signed out. */
  readonly keyId: string
}

/** What a Next page has to do about a logout that an application has started. */
export type PageLogout =
  | { readonly state: 'asked'; readonly facts: LogoutFacts }
  /** The session isn't usable yet. */
  | ToSession
  /** Go on there: to the application. */
  | { readonly state: 'back'; readonly path: string }
  | { readonly state: 'signed out' }
  /** No application can ask for it. */
  | { readonly state: 'not there' }
  /** The API's words, if it has refused the request. */
  | { readonly state: 'invalid'; readonly description: string }

const api = createServerApi<LogoutContract>({
  routeMap: { describeOpenidLogout: { method: 'GET', path: '/_auth/oauth2/logout/request' } },
})

/** Reads the request of an application from the page's address. If the API is down, it throws. */
export async function readLogout(given: string, ways: Ways): Promise<PageLogout> {
  try {
    // Without a cookie, the API says that the request has expired.
    const request = idOfKept.test(given) ? ((await keptBefore(ways.path, given)) ?? '') : given
    const asked = await api().describeOpenidLogout.call({ query: { request } })
    return await forVisitor(asked, { request, ...ways })
  } catch (error) {
    if (error instanceof NotFoundError) return { state: 'not there' }
    const description = error instanceof HttpError ? refusalOf(error) : null
    if (description === null) throw error
    return invalid(description)
  }
}

// A sealed request has a full stop.
const idOfKept = /^[\w-]{22}$/

function invalid(description: string): PageLogout {
  notePageFailure({ status: 400, insteadOf: 200 })
  return { state: 'invalid', description }
}

type Asked = Awaited<ReturnType<ReturnType<typeof api>['describeOpenidLogout']['call']>>

async function forVisitor(
  { sub, ...asked }: Asked,
  { request, ...ways }: Ways & { request: string },
): Promise<PageLogout> {
  const found = await visitor()
  if (found.state === 'signed in') {
    const { session } = found
    const isOther = sub !== undefined && sub !== session.publicId
    return { state: 'asked', facts: { ...asked, ...accountOf(session), isOther } }
  }
  if (found.state === 'to prove' || found.state === 'to renew') {
    return (await toSessionAndBack(request, found.state, ways)) ?? invalid('It is too long.')
  }
  const { redirectTo } = asked
  return redirectTo === undefined ? { state: 'signed out' } : { state: 'back', path: redirectTo }
}

const accountOf = ({ email, phone, username, publicId, keyId }: AuthSession) => ({
  account: email ?? phone ?? username ?? publicId,
  keyId,
})
