import type { HttpError } from './errors.ts'

/** By the names of classes. Names are one for all applications of a process, and so are their messages. */
const catalogue = new Map<string, string>()

/** Says what is wrong, and then what to do, for classes that are thrown without a message. */
export function catalogueErrors(messages: Readonly<Record<string, string>>) {
  for (const [name, message] of Object.entries(messages)) catalogue.set(name, message)
}

/** What an answer says. `OutOfStockError` without a message, of which nothing is said either, is `Out of stock`. */
export function messageOf(error: HttpError) {
  const { defaultMessage } = error.constructor as typeof HttpError
  const said = error.message || defaultMessage || catalogue.get(error.name)
  if (said) return said
  const words = wordsOf(error.name)
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** `DeviceAuthNotFoundError` → `Device Auth Not Found`. */
export function wordsOf(name: string) {
  return name.replace(/Error$/, '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
}
