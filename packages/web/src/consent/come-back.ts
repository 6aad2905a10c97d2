import { headers } from 'next/headers.js'
import { type LackingState, wayIn } from '../guards/guards.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { keepRequest, keptRequest } from './consent-request.ts'

export interface Ways {
  /** The path of the page. */
  readonly path: string
  readonly loginPath: string
}

/** The user gets a session first. The page sets the cookie, and goes on to the path. */
export interface ToSession {
  readonly state: 'to sign in'
  readonly cookie: string
  readonly path: string
}

/**
 * Sends the visitor of a page of Next to where they get a session, and back to the page with this query. A page can't
 * set a cookie while it is rendered, so its script does. Null if no cookie could hold the query.
 */
export async function toSessionAndBack(
  query: string,
  lacking: LackingState,
  { path, loginPath }: Ways,
): Promise<ToSession | null> {
  const kept = await keepRequest(await place(path), query, 'script')
  if (!kept) return null
  const { cookie, returnTo } = kept
  return {
    state: 'to sign in',
    cookie,
    path: wayIn(sharedWebAuth(), lacking, { loginPath, returnTo }),
  }
}

/** The query that the visitor had before. Null if no cookie has it any more. */
export const keptBefore = async (path: string, id: string) => keptRequest(await place(path), id)

/** Only the path and the cookies of the request count, and Next tells no page its host. */
async function place(path: string) {
  const cookie = (await headers()).get('cookie') ?? ''
  const request = new Request(new URL(path, 'http://localhost'), { headers: { cookie } })
  return { request, isSecure: sharedWebAuth().env.SVC_AUTH_COOKIE_SECURE }
}
