import type { ErrorFacts, HttpError } from '../errors/errors.ts'

export type NewError = new (facts: ErrorFacts) => HttpError

/** Only instances know the literal `name` of a class: a bundler may rename the class itself. */
export const nameOf = (known: NewError) => new known({}).name
