import { defineMiddleware, type RawContext, receiveBody, UnauthorizedError } from '@svc/core'
import { authOf } from '../auth.ts'
import { acceptCaller } from '../authenticate/accept-caller.ts'
import { accountRefusals } from '../authenticate/credentials.ts'
import { KeyExpiredError } from '../caller/errors.ts'
import { hashToken } from '../crypto/token.ts'
import { spendToken } from './store.ts'

const description =
  'What `POST /_auth/tokens` answers. It opens one request within 30 seconds, as its key would.'
const inHeader = { type: 'http', scheme: 'OTT', description }
const inQuery = { type: 'apiKey', in: 'query', name: 'token', description }

/** Lets a request through by a one-time token: `Authorization: OTT <token>`, or `?token=` where no header can be set. */
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
  // Whoever holds the end of a body back must not act as what the key was when it began.
  if (spent && !raw.incoming.complete) await receiveBody(raw)
  // The token is as good as the key it was issued to: a device that was signed out meanwhile opens nothing.
  const row = spent && (await callers(spent.keyId))
  if (row?.state !== 'active') throw new UnauthorizedError()
  if (row.keyExpiresAt <= clock.now()) throw new KeyExpiredError()
  acceptCaller(raw, row)
}

const form = /^[\w-]{43}$/

/** What was sent in one of the two places; what is in both, or of another form, is no token. */
function presentedToken({ incoming, req }: RawContext) {
  const headers = incoming.headersDistinct.authorization ?? []
  const fromHeader = headers.map((header) => /^OTT ([\w-]+)$/i.exec(header)?.[1])
  const queried = req.query().token
  const presented = [...fromHeader, ...(queried === undefined ? [] : [queried].flat())]
  const [token] = presented
  return presented.length === 1 && token !== undefined && form.test(token) ? token : null
}
