import { type AuthSession, createAuthApi, KeyExpiredError } from '@svc/auth'
import { requestSigner, type SignRequest, UnauthorizedError } from '@svc/core/client'
import { headers } from 'next/headers.js'
import { cache } from 'react'
import { voucher } from '../proxy-guard/vouch.ts'
import { sharedWebAuth } from '../web-auth.ts'

/** Whoever asks for a page, as the API knows them. */
export type Visitor =
  | { readonly state: 'signed in'; readonly session: AuthSession }
  | { readonly state: 'signed out' }
  /** The session is bound to the browser, which has not proved lately that it is the one, or is getting a new key. */
  | { readonly state: 'to prove' }
  /** The browser still has the session of a key that the API takes no more. */
  | { readonly state: 'ended' }
  /** The key is bound to a passkey and has run out: it can be renewed. */
  | { readonly state: 'to renew' }

/** The session cookie that came with the request for a page. */
const openedSession = cache(async () => {
  const { sessions } = sharedWebAuth()
  return sessions.open((await headers()).get('cookie'))
})

async function holdsUnproven() {
  return (await sharedWebAuth().sessions.held((await headers()).get('cookie'))) !== null
}

/** Signs as the web app that asks for the visitor. */
const vouch = cache(async () => voucher(sharedWebAuth().env)(await headers()))

/** Signs as whoever asks for the page, where somebody is signed in. */
export const signAsVisitor: SignRequest = async (request) => {
  const opened = await openedSession()
  const signed = opened && (await requestSigner(opened.key)(request))
  return { ...signed, ...(await (await vouch())(request)) }
}

/** Asks the API, once for each page: a key that was revoked a moment ago opens nothing. */
export const visitor = cache(async (): Promise<Visitor> => {
  const opened = await openedSession()
  const { env, retired } = sharedWebAuth()
  if (!opened) return { state: (await holdsUnproven()) ? 'to prove' : 'signed out' }
  const api = createAuthApi({ baseUrl: env.SVC_API_URL, sign: signAsVisitor })
  try {
    return { state: 'signed in', session: await api.getAuthSession.call() }
  } catch (error) {
    if (error instanceof KeyExpiredError && opened.session.isBound) return { state: 'to renew' }
    if (error instanceof UnauthorizedError || error instanceof KeyExpiredError) {
      const isReplaced = env.SVC_AUTH_DBSC && retired.has(opened.session.keyId)
      return { state: isReplaced ? 'to prove' : 'ended' }
    }
    // An API that is down says nothing about who may see the page.
    throw error
  }
})
