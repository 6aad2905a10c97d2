import { createHash } from 'node:crypto'
import { clientOf, refuseBeside, type Tx, withSettings } from '../database/database.ts'
import { BadRequestError, UnprocessableEntityError } from '../errors/contract.ts'
import { Answer, type AnswerHeaders, TextAnswer } from '../request/client.ts'
import { hashBody, type RawContext } from '../request/request.ts'
import { idempotencyHeader } from './contract.ts'
import { RequestInProgressError } from './errors.ts'
import { claim, findKept, type Kept, keep } from './statements.ts'

export { forgetKept } from './statements.ts'

const keptMillis = 24 * 3_600_000

/** The address of an operation. */
interface Addressed {
  readonly method: string
  readonly path: string
}

/**
 * Runs a change and stores its answer in one transaction. A request with the same key gets the
 * stored answer. If it throws, nothing is stored, so that a retry runs.
 */
export async function answerOnce(
  operation: Addressed,
  c: RawContext,
  change: (tx: Tx) => Promise<Answer | Response>,
): Promise<Answer> {
  const { database, clock } = c.server
  if (!database) throw new Error('An idempotent route needs a database. Set DATABASE_URL.')
  const id = keyIdOf(operation, c)
  const fingerprint = await fingerprintOf(c)
  const db = withSettings(database.db, c.databaseSettings)
  return db.transaction(async (tx) => {
    const client = clientOf(tx)
    if (!client) throw new Error('There is no transaction.')
    // Waiting for the first request would hold a connection for each duplicate, and a burst of them
    // would use up the pool.
    if (!(await claim(client, id.readBigInt64BE()))) throw inProgress()
    const now = clock.now()
    const given = { id: id.toString('base64url'), now }
    const kept = await findKept(client, given)
    if (kept) return answerAgain(kept, fingerprint)
    refuseBeside(tx)
    const before = { ...c.headers }
    const answer = asKeepable(await change(tx))
    const headers = { ...changed(before, c.headers), ...lowerCase(answer.headers) }
    refuseCookie(headers)
    const { status } = answer
    const expiresAt = new Date(now.getTime() + keptMillis)
    await keep(client, { ...given, fingerprint, status, headers, body: bodyOf(answer), expiresAt })
    return answer
  })
}

/** Two callers may choose the same key, and one caller may use it for two operations. */
function keyIdOf({ method, path }: Addressed, c: RawContext) {
  const { caller } = c
  if (caller === undefined) {
    throw new Error(`The caller of ${method} ${path} is unknown: set c.caller in its middleware.`)
  }
  const key = c.req.header(idempotencyHeader)
  // A schema of another library may allow it to be missing. Then all those requests would be the
  // same one.
  if (!key) throw new BadRequestError({ message: 'Send the header Idempotency-Key.' })
  return createHash('sha256')
    .update(JSON.stringify([method, path, caller, key]))
    .digest()
}

/** The same change has the same address with its query, and the same bytes. */
async function fingerprintOf(c: RawContext) {
  const { method, target } = c.req
  const hash = createHash('sha256').update(`${method} ${target}\n`)
  return hash.update(await hashBody(c)).digest('base64url')
}

const inProgress = () => new RequestInProgressError({ retryAfter: 1 })

function answerAgain({ status, headers, body, fingerprint }: Kept, expected: string) {
  if (fingerprint !== expected) {
    throw new UnprocessableEntityError({
      message: 'This Idempotency-Key was used for another request. Use a new key for each change.',
    })
  }
  return new Answer(status, body === null ? undefined : JSON.parse(body), headers)
}

/** Answers that can be repeated unchanged. */
function asKeepable(answer: Answer | Response) {
  if (answer instanceof Response || answer instanceof TextAnswer) {
    throw new Error('An idempotent route answers JSON: only that is kept for a retry.')
  }
  return answer
}

function bodyOf({ value }: Answer) {
  return JSON.stringify(value) ?? null
}

/** The headers that the handler has set itself. Those of middleware are set again. */
function changed(before: AnswerHeaders, after: AnswerHeaders = {}) {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value))
}

/**
 * A handler may write them in any case. Otherwise two spellings would be two headers, and a cookie
 * would be overlooked.
 */
function lowerCase(headers: AnswerHeaders = {}): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** A cookie is for one browser, and the database keeps no secret. */
function refuseCookie(headers: AnswerHeaders) {
  if ('set-cookie' in headers) throw new Error('The answer of an idempotent route sets no cookie.')
}
