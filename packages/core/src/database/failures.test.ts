import { DrizzleQueryError } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { databaseFailure } from './failures.ts'

function failure(fields: { code?: string; message?: string }) {
  return Object.assign(new Error(fields.message ?? 'a driver message'), fields)
}

function wrapped(fields: { code?: string; message?: string }) {
  return new DrizzleQueryError('insert into users …', ['secret'], failure(fields))
}

describe('databaseFailure', () => {
  it('says that a socket that is gone is unavailable, and no other missing file', () => {
    const missing = failure({ code: 'ENOENT' })
    expect(databaseFailure(missing)).toBeNull()
    expect(databaseFailure(Object.assign(missing, { syscall: 'connect' }))).toMatchObject({
      status: 503,
    })
  })

  it.each(['23505'])('says that a unique violation (%s) is a conflict', (code) => {
    expect(databaseFailure(wrapped({ code }))).toMatchObject({ status: 409, name: 'ConflictError' })
  })

  it.each(['22001', '22003', '22021', '22P02'])(
    'says that a value no column can hold (%s) is a bad request, without the driver’s words',
    (code) => {
      const refused = databaseFailure(wrapped({ code }))
      expect(refused).toMatchObject({
        status: 400,
        message: 'The database cannot store one of these values. Check them.',
      })
    },
  )

  it.each([
    '08000',
    '08003',
    '08006',
    '08P01',
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '25006',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
  ])('says that infrastructure (%s) is unavailable', (code) => {
    expect(databaseFailure(wrapped({ code }))).toMatchObject({ status: 503, retryAfter: 5 })
  })

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('says that the driver losing its connection ("%s") is unavailable', (message) => {
    expect(databaseFailure(failure({ message }))).toMatchObject({ status: 503 })
  })

  it.each(['40001', '40P01'])(
    'asks to try again at once where transactions collide (%s)',
    (code) => {
      expect(databaseFailure(wrapped({ code }))).toMatchObject({ status: 503, retryAfter: 1 })
    },
  )

  it('sees every address refusing as one failure', () => {
    const refused = new AggregateError([failure({ code: 'ECONNREFUSED' })])
    expect(databaseFailure(refused)).toMatchObject({ status: 503 })
  })

  it.each(['23503', '23514', '42P01', '22012'])(
    'leaves a fault of the program (%s) alone',
    (code) => {
      expect(databaseFailure(wrapped({ code }))).toBeNull()
    },
  )

  it('leaves errors of the application alone, even if they read like one of the database', () => {
    expect(databaseFailure(new Error('Your connection was terminated'))).toBeNull()
    expect(databaseFailure('ECONNREFUSED')).toBeNull()
    expect(databaseFailure(null)).toBeNull()
  })

  it('says nothing of constraints, values or statements', () => {
    const conflict = databaseFailure(
      wrapped({ code: '23505', message: 'duplicate key value violates "users_email_key"' }),
    )
    expect(JSON.stringify([conflict?.message, conflict?.publicFields])).not.toMatch(
      /users|secret|duplicate|key/,
    )
  })

  it('ends on causes that go in a circle', () => {
    const error = new Error('round')
    error.cause = error
    expect(databaseFailure(error)).toBeNull()
  })
})
