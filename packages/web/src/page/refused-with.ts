import type * as auth from '@svc/auth'
import { type FrameworkError, HttpError } from '@svc/core/client'

type Classes = typeof auth

type ErrorOf<Class> = Class extends (new (
  ...given: never[]
) => infer Instance extends HttpError)
  ? Instance
  : never

type Refusal = FrameworkError | { [Name in keyof Classes]: ErrorOf<Classes[Name]> }[keyof Classes]

/** Whether the API has refused with one of these. It compares names, so that a page doesn't load the classes. */
export function isRefusedWith<Name extends Refusal['name']>(
  error: unknown,
  ...names: Name[]
): error is Extract<Refusal, { name: Name }> {
  return error instanceof HttpError && names.some((name) => name === error.name)
}
