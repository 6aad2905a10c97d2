import type { AuthSession, LogoutContract } from '@svc/auth'
import { HttpError, NotFoundError } from '@svc/core/client'
import { refusalOf } from '../consent/consent.ts'
import { createServerApi, visitor, wayIn } from '../guards/guards.ts'
import { notePageFailure } from '../outage/outage.ts'
import { sharedWebAuth } from '../web-auth.ts'

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
  /** Go on there: to the application, or to the page that makes the session usable. */
  | { readonly state: 'back'; readonly path: string }
  | { readonly state: 'signed out' }
  /** No application can ask for it. */
  | { readonly state: 'not there' }
  /** The API's words. */
  | { readonly state: 'invalid'; readonly description: string }

interface Ways {
  /** The path of the page. */
  readonly path: string
  readonly loginPath: string
}

const api = createServerApi<LogoutContract>({
  routeMap: { describeOpenidLogout: { method: 'GET', path: '/_auth/oauth2/logout/request' } },
})

/** Reads the request of an application from the page's address. If the API is down, it throws. */
export async function readLogout(request: string, ways: Ways): Promise<PageLogout> {
  try {
    const asked = await api().describeOpenidLogout.call({ query: { request } })
    return await forVisitor(asked, { request, ...ways })
  } catch (error) {
    if (error instanceof NotFoundError) return { state: 'not there' }
    const description = error instanceof HttpError ? refusalOf(error) : null
    if (description === null) throw error
    notePageFailure({ status: 400, insteadOf: 200 })
    return { state: 'invalid', description }
  }
}

type Asked = Awaited<ReturnType<ReturnType<typeof api>['describeOpenidLogout']['call']>>

async function forVisitor(
  { sub, ...asked }: Asked,
  { request, path, loginPath }: Ways & { request: string },
): Promise<PageLogout> {
  const found = await visitor()
  if (found.state === 'signed in') {
    const { session } = found
    const isOther = sub !== undefined && sub !== session.publicId
    return { state: 'asked', facts: { ...asked, ...accountOf(session), isOther } }
  }
  if (found.state === 'to prove' || found.state === 'to renew') {
    const returnTo = `${path}?${new URLSearchParams({ request })}`
    return { state: 'back', path: wayIn(sharedWebAuth(), found.state, { loginPath, returnTo }) }
  }
  const { redirectTo } = asked
  return redirectTo === undefined ? { state: 'signed out' } : { state: 'back', path: redirectTo }
}

const accountOf = ({ email, phone, username, publicId, keyId }: AuthSession) => ({
  account: email ?? phone ?? username ?? publicId,
  keyId,
})
