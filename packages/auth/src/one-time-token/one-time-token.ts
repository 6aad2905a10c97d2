import {
  defineMiddleware,
  type RawContext,
  receiveBody,
  type StreamTokens,
  UnauthorizedError,
} from '@svc/core'
import { authOf, type Needs, runningAuth } from '../auth.ts'
import { acceptCaller, accountRefusals, refuseKeyless } from '../authenticate/authenticate.ts'
import type { Caller } from '../caller/caller.ts'
import { KeyExpiredError } from '../caller/errors.ts'
import { hashToken, newToken } from '../crypto/crypto.ts'
import { insertToken, spendToken } from './store.ts'

// Long enough to open a stream over a slow network, and short enough that a token in a log has
// expired.
const lifeMillis = 30_000

/**
 * Issues a token that replaces a signature once, for requests that can't be signed, such as a
 * browser's EventSource.
 */
export async function issueOneTimeToken(
  { db, clock }: Needs<'db' | 'clock'>,
  { userId, keyId }: Pick<Caller, 'userId' | 'keyId'>,
) {
  refuseKeyless({ keyId })
  const token = newToken()
  const expiresAt = new Date(clock.now().getTime() + lifeMillis)
  await insertToken(db, { tokenHash: hashToken(token), userId, keyId, expiresAt })
  return { token, expiresAt: expiresAt.toISOString() }
}

const description =
  'The token of `POST /_auth/tokens`. It authenticates one request within 30 seconds, as its key would.'
const inHeader = { type: 'http', scheme: 'OTT', description }
const inQuery = { type: 'apiKey', in: 'query', name: 'token', description }

/**
 * Accepts a request with a one-time token: `Authorization: OTT <token>`, or `?token=` if no header
 * can be set.
 */
export const oneTimeTokenAuth = defineMiddleware(
  'one-time-token',
  async (raw, next) => {
    raw.header('www-authenticate', inHeader.scheme)
    await admitByToken(raw)
    raw.header('www-authenticate')
    await next()
  },
  {
    skips: ['auth'],
    documents: {
      credentials: [{ oneTimeToken: inHeader }, { oneTimeTokenInQuery: inQuery }],
      errors: [...accountRefusals, KeyExpiredError],
    },
  },
)

async function admitByToken(raw: RawContext) {
  const { db, clock, callers } = authOf(raw.server)
  const token = presentedToken(raw)
  const spent = token === null ? null : await spendToken(db, hashToken(token), clock.now())
  // A client that delays the end of a body must not act with the rights that the key had when it
  // began.
  if (spent && !raw.isReceived) await receiveBody(raw)
  // The token is as good as the key it was issued to: if its device was signed out meanwhile, it is
  // refused.
  const row = spent && (await callers(spent.keyId))
  if (row?.state !== 'active') throw new UnauthorizedError()
  if (row.keyExpiresAt <= clock.now()) throw new KeyExpiredError()
  acceptCaller(raw, row)
}

const form = /^[\w-]{43}$/

/** A token in one of the two places. One in both, or of another form, is not a token. */
function presentedToken({ incoming, req }: RawContext) {
  const headers = incoming.headersDistinct.authorization ?? []
  const fromHeader = headers.map((header) => /^OTT ([\w-]+)$/i.exec(header)?.[1])
  const queried = req.query().token
  const presented = [...fromHeader, ...(queried === undefined ? [] : [queried].flat())]
  const [token] = presented
  return presented.length === 1 && token !== undefined && form.test(token) ? token : null
}

/**
 * The tokens of `issueOneTimeToken` as those of streams: `auth: { enabled: true, tokenManager:
 * oneTimeTokens }`. They are in the database, so that every instance knows them. A token is for one
 * account and its key. If your `getSubject` returns other names, your streams need tokens of their
 * own.
 */
export function oneTimeTokens(): StreamTokens {
  const auth = runningAuth()
  return {
    async issue({ subject, owner = subject, credential = '' }) {
      if (owner !== subject) {
        throw new Error('oneTimeTokens are for accounts: leave getSubject out, or tokenManager.')
      }
      const { token } = await issueOneTimeToken(auth, { userId: subject, keyId: credential })
      return { token }
    },
    async consume(token) {
      const spent = await spendToken(auth.db, hashToken(token), auth.clock.now())
      return spent && { subject: spent.userId, credential: spent.keyId }
    },
  }
}
