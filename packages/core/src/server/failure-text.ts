import { redact } from '../observation/observation.ts'

/**
 * Their messages say what to do. They are recognised by name: the application may have another copy
 * of this package than `svc`.
 */
const writtenForPeople = [
  'EnvironmentError',
  'DefinitionError',
  'DatabaseConnectionError',
  'CacheConnectionError',
  'MigrationError',
]

/** A problem that a person can fix is one message. Anything else is a bug and shows its stack. */
export function failureText(thrown: unknown) {
  if (!(thrown instanceof Error)) return redact(String(thrown))
  const isPlain = thrown.constructor === Error || writtenForPeople.includes(thrown.name)
  const { message, stack = message } = thrown
  const said = withoutValues(message)
  return redact(isPlain ? said : stack.replace(message, () => said))
}

/** The message of a failed statement ends with its values, for example addresses and hashes. */
function withoutValues(message: string) {
  return message.replace(/\nparams: [^]*$/, '\nparams: [redacted]')
}
