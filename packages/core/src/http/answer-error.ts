import { databaseFailure, isMissingInDatabase } from '../database/database.ts'
import { HttpError } from '../errors/errors.ts'
import { refusal } from '../request/client.ts'
import type { RawContext } from '../request/request.ts'

type Asked = Pick<RawContext, 'requestId' | 'incoming' | 'server'> &
  Partial<Pick<RawContext, 'headers'>>

/** Turns a thrown value into an answer. A value that isn't a refusal by a rule is logged too. */
export function answerError(thrown: unknown, c: Asked) {
  const error = thrown instanceof HttpError ? thrown : (databaseFailure(thrown) ?? thrown)
  const { requestId, incoming } = c
  const challenge = c.headers?.['www-authenticate']?.toString()
  const answer = refusal(error, { requestId, accept: incoming.headers.accept, challenge })
  const { status } = answer
  const code = error instanceof HttpError ? error.name : 'Error'
  c.server.observer?.saw({ kind: 'refusal', code, status, request: incoming, requestId })
  const asked = { requestId, method: incoming.method, url: incoming.url, status }
  const entry = { err: thrown, ...asked, ...hintOn(thrown, c) }
  // A server without room refuses with this. Such refusals come in floods, so each is one line
  // without a stack.
  const isRefusal = thrown instanceof HttpError && status === 503 && thrown.cause === undefined
  if (isRefusal) c.server.log.warn({ refused: thrown.name, ...asked }, 'request refused')
  else if (status >= 500) c.server.log.error(entry, 'request failed')
  else if (error !== thrown) c.server.log.warn(entry, 'the database refused a request')
  return answer
}

/** For a developer who reads the log. The client's answer stays the same. */
function hintOn(thrown: unknown, { server }: Asked) {
  const { NODE_ENV } = server.source
  const isDevelopment = !NODE_ENV || NODE_ENV === 'development'
  const hint = isDevelopment ? hintFor(thrown) : null
  return hint ? { hint } : {}
}

function hintFor(thrown: unknown) {
  if (isMissingInDatabase(thrown)) {
    return 'The database lacks this table or column. If you changed your tables, run `npx @svc/cli generate --name what-changed`: it writes the migration.'
  }
  // JSON.stringify says neither where the value is nor what to do, and its stack has no line of the
  // route.
  if (thrown instanceof TypeError && thrown.message.includes('serialize a BigInt')) {
    return 'The answer of this route contains a BigInt, which JSON does not support. Convert it to text: `String(value)`.'
  }
  return null
}
