import { redact } from '../infrastructure/logger.ts'

/** Their messages say what to do. By name: the application may have another copy of this package than `svc`. */
const writtenForPeople = [
  'EnvironmentError',
  'DatabaseConnectionError',
  'CacheConnectionError',
  'MigrationError',
]

/** What a person can put right is said in one message; anything else is a bug and shows where it is. */
export function failureText(thrown: unknown) {
  if (!(thrown instanceof Error)) return redact(String(thrown))
  const isPlain = thrown.constructor === Error || writtenForPeople.includes(thrown.name)
  return redact(isPlain ? thrown.message : (thrown.stack ?? thrown.message))
}
