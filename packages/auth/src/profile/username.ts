import { ValidationError } from '@svc/core'
import type { AuthEnv } from '../env.ts'
import { ReservedUsernameError } from './errors.ts'

type Rules = Pick<
  AuthEnv,
  'SVC_AUTH_RESERVED_USERNAMES' | 'SVC_AUTH_USERNAME_MIN_LENGTH' | 'SVC_AUTH_USERNAME_MAX_LENGTH'
>

/** The one spelling of a username, in which it is stored and compared; null when nothing of that form can be one. */
export function parseUsername(given: string, env: Rules) {
  const { SVC_AUTH_USERNAME_MIN_LENGTH: shortest, SVC_AUTH_USERNAME_MAX_LENGTH: longest } = env
  const isOfForm = /^[a-z0-9._-]+$/i.test(given)
  return isOfForm && given.length >= shortest && given.length <= longest
    ? given.toLowerCase()
    : null
}

export function isReserved(username: string, { SVC_AUTH_RESERVED_USERNAMES: reserved }: Rules) {
  return reserved.some((name) => name.toLowerCase() === username)
}

/** A username that its account may have, unless it is another's. */
export function readUsername(given: string, env: Rules) {
  const username = parseUsername(given, env)
  if (username === null) throw invalid(env)
  if (isReserved(username, env)) throw new ReservedUsernameError()
  return username
}

function invalid(env: Rules) {
  const { SVC_AUTH_USERNAME_MIN_LENGTH: shortest, SVC_AUTH_USERNAME_MAX_LENGTH: longest } = env
  const message = `Give ${shortest} to ${longest} of the characters a-z, 0-9, ".", "_" and "-".`
  return new ValidationError({ fields: [{ path: 'body.username', message }] })
}
