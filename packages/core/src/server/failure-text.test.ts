import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { redact } from '../observation/logger.ts'
import { failureText } from './failure-text.ts'

const values = ['ada@example.com', 'a name\n    at which a stack might begin', '$2b$12$hash']
const failed = new DrizzleQueryError('insert into users values ($1, $2, $3)', values)

it('tells which statement failed, and where, and none of its values', () => {
  const text = failureText(failed)
  expect(text).toContain('insert into users values')
  expect(text).toContain('failure-text.test.ts')
  for (const value of values) expect(text).not.toContain(value)
})

it('tells none of them where a text has the message of a statement in it', () => {
  const text = redact(`server.ts does not load: ${failed.message.replace(/\n {4}at/, '')}`)
  expect(text).toContain('insert into users values')
  for (const value of ['ada@example.com', '$2b$12$hash']) expect(text).not.toContain(value)
})
