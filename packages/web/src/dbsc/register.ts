import { createPortableKey } from '@svc/auth'
import { NotFoundError, requestSigner } from '@svc/core/client'
import { base64url } from 'jose'
import { csrfCookie } from '../csrf/csrf.ts'
import { type OpenSession, proofCookie, type WebSession } from '../session/session.ts'
import { openChallenge, readBrowserKey, readProof } from './browser-proof.ts'
import {
  answerBrowser,
  askApi,
  instructions,
  proofRefused,
  stringField,
  type Visit,
} from './visit.ts'

/**
 * Binds the session to the key that the browser presents. The account's key is replaced in the same
 * step, so a cookie that was copied before has a dead key, and no challenge works for a second
 * registration.
 */
export async function register(visit: Visit) {
  const { web, request } = visit
  if (!web.env.SVC_AUTH_DBSC) throw new NotFoundError({ resource: 'Page' })
  const opened = await web.sessions.open(request.headers.get('cookie'))
  // One key for one session: a second one would be that of an attacker who copied the cookies.
  if (!opened || opened.session.browser) throw proofRefused()
  const key = await shownKey(visit, opened.session)
  const { answer, rotated } = await rotate(visit, opened)
  if (!answer.ok) return answer
  const browser = { sessionId: newSessionId(), key }
  const session = { ...opened.session, ...rotated, browser }
  const cookies = await Promise.all([
    web.sessions.cookie(session),
    csrfCookie({ web }, session),
    proofCookie(web, browser),
  ])
  return answerBrowser(instructions(web, browser), {
    headers: cookies.map((cookie) => ['set-cookie', cookie]),
  })
}

async function shownKey({ web, request }: Visit, { keyId }: WebSession) {
  const proof = await readProof(
    stringField(request, 'secure-session-response') ?? '',
    readBrowserKey,
  )
  const expected = { step: 'register', keyId } as const
  if (!proof || !(await openChallenge(web, proof.challenge, expected))) throw proofRefused()
  return proof.key
}

async function rotate(visit: Visit, { session, key }: OpenSession) {
  const { registration, ...rotated } = await createPortableKey()
  // Before the API knows: calls with the old key may be refused, and answered, before this one.
  visit.web.retired.add(session.keyId)
  const body = { ...registration, platform: 'web' }
  const answer = await askApi(visit, 'rotateKey', { body, sign: requestSigner(key) })
  return { answer, rotated }
}

const newSessionId = () => base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
