import { ValidationError } from '@svc/core'
import { refuseLargeMetadata } from '../accounts/accounts.ts'
import type { AuthEnv } from '../env.ts'
import type { ProfileChanges } from './contract.ts'
import { ReservedUsernameError } from './errors.ts'

type Rules = Pick<
  AuthEnv,
  'SVC_AUTH_RESERVED_USERNAMES' | 'SVC_AUTH_USERNAME_MIN_LENGTH' | 'SVC_AUTH_USERNAME_MAX_LENGTH'
>

/** Profile changes in the form that is stored. */
export function readProfileChanges(changes: ProfileChanges): ProfileChanges {
  const { avatarUrl, website, locale, timezone, metadata } = changes
  refuseLargeMetadata(metadata, 'kept')
  return {
    ...changes,
    ...(typeof avatarUrl === 'string' && {
      avatarUrl: readWebAddress(avatarUrl, 'body.avatarUrl'),
    }),
    ...(typeof website === 'string' && { website: readWebAddress(website, 'body.website') }),
    ...(typeof locale === 'string' && { locale: readLocale(locale) }),
    ...(typeof timezone === 'string' && { timezone: readTimezone(timezone) }),
  }
}

/**
 * The canonical form of a username, which is stored and compared; null if it can't be a username.
 */
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

/** A username that the account may have, unless another account has it. */
export function readUsername(given: string, env: Rules) {
  const username = parseUsername(given, env)
  if (username === null) throw invalid(env)
  if (isReserved(username, env)) throw new ReservedUsernameError()
  return username
}

function invalid(env: Rules) {
  const { SVC_AUTH_USERNAME_MIN_LENGTH: shortest, SVC_AUTH_USERNAME_MAX_LENGTH: longest } = env
  const message = `Use ${shortest} to ${longest} of the characters a-z, 0-9, ".", "_" and "-".`
  return new ValidationError({ fields: [{ path: 'body.username', message }] })
}

/** The canonical form of a BCP 47 language tag: `en-us` is `en-US`. */
export function readLocale(given: string) {
  try {
    const [locale] = Intl.getCanonicalLocales(given)
    if (locale !== undefined) return locale
  } catch {
    // It is not a language tag.
  }
  const message = 'Enter a BCP 47 language tag, such as en or ko-KR.'
  throw new ValidationError({ fields: [{ path: 'body.locale', message }] })
}

/**
 * A zone of the IANA database, in its own spelling. An offset such as +09:00 is refused, because it
 * has no summer time.
 */
function readTimezone(given: string) {
  const known = /^[a-z]/i.test(given) ? knownZone(given) : null
  if (known === null) {
    const message = 'Enter a time zone of the IANA database, such as Asia/Seoul.'
    throw new ValidationError({ fields: [{ path: 'body.timezone', message }] })
  }
  // An alias such as Asia/Kolkata stays under the name that the user chose.
  return known.toLowerCase() === given.toLowerCase() ? known : given
}

function knownZone(given: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/**
 * An address that others may see as a link. A `javascript:` one would run with the session of the
 * user who opens it, and a user name before the host disguises one site as another.
 */
export function readWebAddress(given: string, path: string) {
  const url = /^https?:\/\/[^\s\\]+$/i.test(given) ? URL.parse(given) : null
  if (url && url.username === '' && url.password === '') return given
  const message = 'Give an address that begins with https:// or http://.'
  throw new ValidationError({ fields: [{ path, message }] })
}
