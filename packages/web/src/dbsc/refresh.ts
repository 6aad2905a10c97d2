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

/** Gives the browser a new proof for its session's key, as long as the account's key is valid. */
export async function refresh(visit: Visit) {
  const { web, request } = visit
  // Pages can't send this header: only the browser itself asks for a proof.
  const asked = stringField(request, 'sec-secure-session-id')
  if (asked === null) throw proofRefused()
  const held = await web.sessions.held(request.headers.get('cookie'))
  const browser = held?.session.browser
  // The user has signed out, or signed in again. The browser still watches the old session, but the
  // cookies are of another one.
  if (!held || browser?.sessionId !== asked) return answerBrowser(endInstructions(asked))
  const token = stringField(request, 'secure-session-response')
  return token === null ? challenged(visit, held, browser) : proven(visit, { held, browser, token })
}

/** A 403 makes the browser sign the challenge in the header, and come again. */
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
    // Signed at the time of the challenge and for as long: an API that has lost its spent ids must
    // not accept it.
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
 * Spends a challenge at the API, whose replay protection covers every instance, with a request that
 * only reads. The answer also shows whether the account's key is valid.
 */
async function spend(
  visit: Visit,
  { session, key }: OpenSession,
  once: { jti: string; issuedAtMillis: number; expiresAtMillis: number },
) {
  const answer = await askApi(visit, 'listKeys', { body: {}, sign: requestSigner(key, once) })
  // A valid key gets a 403, too, for example if the account must change its password.
  if (answer.ok || answer.status === 403) return 'alive'
  const { __type: refusal, code = refusal } = await jsonOf(answer)
  if (code === 'RequestReplayedError') return 'spent'
  // The API can't know whether it was spent. For a new challenge, it can.
  if (answer.status === 503 && answer.headers.get('retry-after') === '0') return 'spent'
  // A bound key that has expired can sign for its renewal, for which the browser must be proved.
  if (code === 'KeyExpiredError') return session.isBound ? 'alive' : 'dead'
  const isReplaced = visit.web.retired.has(session.keyId)
  if (answer.status === 401 && code === 'UnauthorizedError' && !isReplaced) return 'dead'
  throw new ServiceUnavailableError({
    message: 'The API does not answer right now. Try again in a moment.',
  })
}

function ended({ web }: Visit, { session }: OpenSession, { sessionId }: BoundBrowser) {
  return answerBrowser(endInstructions(sessionId), {
    headers: clearedCookies(web, session).map((cookie) => ['set-cookie', cookie]),
  })
}
