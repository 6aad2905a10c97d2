import { redact } from '../observation/observation.ts'

/** Their messages say what to do. By name: the application may have another copy of this package than `svc`. */
const writtenForPeople = [
  'EnvironmentError',
  'DefinitionError',
  'DatabaseConnectionError',
  'CacheConnectionError',
  'MigrationError',
]

/** What a person can put right is said in one message; anything else is a bug and shows where it is. */
export function failureText(thrown: unknown) {
  if (!(thrown instanceof Error)) return redact(String(thrown))
  const isPlain = thrown.constructor === Error || writtenForPeople.includes(thrown.name)
  const { message, stack = message } = thrown
  const said = withoutValues(message)
  return redact(isPlain ? said : stack.replace(message, () => said))
}

/** The message of a statement that failed ends with the values it was given: addresses and hashes are among them. */
function withoutValues(message: string) {
  return message.replace(/\nparams: [^]*$/, '\nparams: [redacted]')
}
