import { type AuthSession, createAuthApi } from '@svc/auth'
import { requestSigner, type SignRequest } from '@svc/core/client'
import { headers } from 'next/headers.js'
import { cache } from 'react'
import { watchedFetch } from '../outage/watched-fetch.ts'
import { voucher } from '../proxy-guard/vouch.ts'
import { sharedWebAuth } from '../web-auth.ts'
import { type LackingState, stateAfter, stateWithout } from './session-state.ts'

/** Whoever asks for a page, as the API knows them. */
export type Visitor =
  | { readonly state: 'signed in'; readonly session: AuthSession }
  | { readonly state: LackingState }

/** The session cookie that came with the request for a page. */
const openedSession = cache(async () => {
  const { sessions } = sharedWebAuth()
  return sessions.open((await headers()).get('cookie'))
})

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
  const web = sharedWebAuth()
  if (!opened) return { state: await stateWithout(web, (await headers()).get('cookie')) }
  const api = createAuthApi({
    baseUrl: web.env.SVC_API_URL,
    sign: signAsVisitor,
    fetch: watchedFetch,
  })
  try {
    return { state: 'signed in', session: await api.getAuthSession.call() }
  } catch (error) {
    const state = stateAfter(web, opened, error)
    if (state) return { state }
    // An API that is down says nothing about who may see the page.
    throw error
  }
})
