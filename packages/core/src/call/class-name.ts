import type { ErrorFacts, HttpError } from '../errors/errors.ts'

export type NewError = new (facts: ErrorFacts) => HttpError

const names = new Map<NewError, string>()

/** Only instances know the literal `name` of a class: a bundler may rename the class itself. */
export function nameOf(known: NewError) {
  let name = names.get(known)
  if (name === undefined) {
    name = new known({}).name
    names.set(known, name)
  }
  return name
}
