import { requestSigner, ServiceUnavailableError } from '@svc/core/client'
import { jsonOf } from '../auth-operations/auth-operations.ts'
import {
  type BoundBrowser,
  clearedCookies,
  type OpenSession,
  proofCookie,
} from '../session/session.ts'
import { idOfChallenge, mintChallenge, openChallenge, readProof } from './browser-proof.ts'
import {
  answerBrowser,
  askApi,
  endInstructions,
  type Header,
  instructions,
  proofRefused,
  stringField,
  type Visit,
} from './visit.ts'

/** Gives the browser another proof for its session's key, while the account's key lives. */
export async function refresh(visit: Visit) {
  const { web, request } = visit
  // Pages cannot send it: only a browser by itself asks for a proof.
  const asked = stringField(request, 'sec-secure-session-id')
  if (asked === null) throw proofRefused()
  const held = await web.sessions.held(request.headers.get('cookie'))
  const browser = held?.session.browser
  // Signed out, or signed in anew: what the browser still watches is over, and the cookies are another session's.
  if (!held || browser?.sessionId !== asked) return answerBrowser(endInstructions(asked))
  const token = stringField(request, 'secure-session-response')
  return token === null ? challenged(visit, held, browser) : proven(visit, { held, browser, token })
}

/** 403 has the browser sign what is in the header, and come again. */
async function challenged({ web }: Visit, { session }: OpenSession, browser: BoundBrowser) {
  const header = await challengeHeader(web, session.keyId, browser)
  return answerBrowser({ error: 'Forbidden' }, { status: 403, headers: [header] })
}

async function challengeHeader(
  web: Visit['web'],
  keyId: string,
  { sessionId }: BoundBrowser,
): Promise<Header> {
  const challenge = await mintChallenge(web, { step: 'refresh', keyId })
  return ['secure-session-challenge', `"${challenge}";id="${sessionId}"`]
}

interface Given {
  readonly held: OpenSession
  readonly browser: BoundBrowser
  readonly token: string
}

async function proven(visit: Visit, { held, browser, token }: Given) {
  const { web } = visit
  const { keyId } = held.session
  const proof = await readProof(token, () => browser.key)
  if (!proof) throw proofRefused()
  const challenge = await openChallenge(web, proof.challenge, { step: 'refresh', keyId })
  if (!challenge) return challenged(visit, held, browser)
  const found = await spend(visit, held, {
    jti: await idOfChallenge(proof.challenge),
    // Signed at the time of the challenge and for as long: an API that has lost its spent ids must not accept it.
    ...challenge,
  })
  if (found === 'spent') return challenged(visit, held, browser)
  if (found === 'dead') return ended(visit, held, browser)
  return answerBrowser(instructions(web, browser), {
    headers: [
      ['set-cookie', await proofCookie(web, browser)],
      await challengeHeader(web, keyId, browser),
    ],
  })
}

/**
 * Spends a challenge at the API, whose replay protection is every instance's, with a request that only reads. What it
 * answers says whether the account's key lives, too.
 */
async function spend(
  visit: Visit,
  { session, key }: OpenSession,
  once: { jti: string; issuedAtMillis: number; expiresAtMillis: number },
) {
  const answer = await askApi(visit, 'listKeys', { body: {}, sign: requestSigner(key, once) })
  // 403 is told to a live key, such as that of an account that has to change its password.
  if (answer.ok || answer.status === 403) return 'alive'
  const { __type: refusal, code = refusal } = await jsonOf(answer)
  if (code === 'RequestReplayedError') return 'spent'
  // The API can't know whether it was spent. For a new challenge, it can.
  if (answer.status === 503 && answer.headers.get('retry-after') === '0') return 'spent'
  // One that is bound to a passkey and has run out signs for its renewal, for which the browser has to be proven.
  if (code === 'KeyExpiredError') return session.isBound ? 'alive' : 'dead'
  const isReplaced = visit.web.retired.has(session.keyId)
  if (answer.status === 401 && code === 'UnauthorizedError' && !isReplaced) return 'dead'
  throw new ServiceUnavailableError({ message: 'The API does not answer right now.' })
}

function ended({ web }: Visit, { session }: OpenSession, { sessionId }: BoundBrowser) {
  return answerBrowser(endInstructions(sessionId), {
    headers: clearedCookies(web, session).map((cookie) => ['set-cookie', cookie]),
  })
}
