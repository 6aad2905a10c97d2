import { BadRequestError, ConflictError, ServiceUnavailableError } from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'

const unique = '23505'
/**
 * Too long, out of range, an invalid date, a NUL, a wrong form: a schema has accepted a value that
 * no column can hold.
 */
const unfit = /^(?:22001|22003|22007|22008|22021|22P02|22P05)$/
/** Serialization failure, deadlock. */
const collided = new Set(['40001', '40P01'])
const missing = new Set(['42P01', '42703'])

/** Connection, resources and operator classes, and a replica that was promoted while we used it. */
const unavailableState = /^(08...|53...|57P0.|58000|58030|25006)$/

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** `pg` and its pool throw these as plain errors without a code. */
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Connection ended|The server does not support|server closed the connection|read E|write E|Socket)/i

/**
 * The refusal for a failure of the database, or null if the error is not one. The driver's words
 * stay in the `cause`: they name tables, constraints and values.
 */
export function databaseFailure(error: unknown): HttpError | null {
  for (const failure of causes(error)) {
    const code = codeOf(failure)
    if (code === unique) return new ConflictError({ message: 'It already exists.', cause: error })
    if (unfit.test(code)) {
      return new BadRequestError({
        message: 'The database cannot store one of these values. Check them.',
        cause: error,
      })
    }
    if (collided.has(code)) return new ServiceUnavailableError({ retryAfter: 1, cause: error })
    if (isUnavailable(failure, code)) return new ServiceUnavailableError({ cause: error })
  }
  return null
}

/**
 * PostgreSQL has ended the transaction because of a collision, and nothing of it is left. The same
 * again may succeed.
 */
export function isCollision(error: unknown) {
  return [...causes(error)].some((failure) => collided.has(codeOf(failure)))
}

/** A write where none is allowed: in a read-only transaction, or on a standby. */
export function isRefusedWrite(error: unknown) {
  return [...causes(error)].some((failure) => codeOf(failure) === '25006')
}

/** A table or a column is missing: its migration was not made, or not applied. */
export function isMissingInDatabase(error: unknown) {
  return [...causes(error)].some((failure) => missing.has(codeOf(failure)))
}

function isUnavailable(failure: Error, code: string) {
  return (
    unavailableCodes.has(code) ||
    unavailableState.test(code) ||
    isMissingSocket(failure, code) ||
    (code === '' && unavailableMessages.test(failure.message))
  )
}

/**
 * When a server on a Unix socket stops, its socket's file is gone. Any other missing file is a
 * fault of the program.
 */
function isMissingSocket(failure: Error, code: string) {
  return code === 'ENOENT' && 'syscall' in failure && failure.syscall === 'connect'
}

/** The error and its causes. If several addresses refuse, they come as an `AggregateError`. */
function* causes(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return
  yield error
  yield* causes(error.cause, depth + 1)
  if (error instanceof AggregateError) {
    for (const each of error.errors) yield* causes(each, depth + 1)
  }
}

function codeOf(error: Error) {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
