import { fieldsOf, flagOf, isPast, listOf, objectOf, textOf } from '../records.ts'
import type { Format } from './format.ts'

// These are no accounts elsewhere: they are the address and the number.
const own = new Set<unknown>(['email', 'phone'])

/** The table `auth.users`, with `auth.identities` as JSON in a column of that name. */
export const supabase: Format = (fields, { now }) => {
  if (fields('deletedAt') !== undefined) return 'deleted'
  const isGuest = flagOf(fields('isAnonymous'))
  if (isGuest === null) return 'flag_unknown'
  if (isGuest) return 'not_a_person'
  const told = fieldsOf(objectOf(fields('rawUserMetaData')) ?? {})
  const bannedUntil = fields('bannedUntil')
  return {
    externalId: fields('id'),
    email: fields('email'),
    emailVerified: fields('emailConfirmedAt'),
    phone: international(fields('phone')),
    phoneVerified: fields('phoneConfirmedAt'),
    displayName: told('full_name', 'name'),
    avatarUrl: told('avatar_url', 'picture'),
    createdAt: fields('createdAt'),
    // `infinity` is not a time, and the ban has no end.
    suspended: bannedUntil !== undefined && !isPast(bannedUntil, now),
    passwordHash: fields('encryptedPassword'),
    accounts: listOf(fields('identities'))
      .map(fieldsOf)
      .filter((of) => !own.has(of('provider')))
      .map((of) => ({ provider: of('provider'), id: of('providerId', 'id') })),
  }
}

/** Supabase stores numbers without their plus. */
function international(phone: unknown) {
  const text = textOf(phone)
  return text !== undefined && /^\d/.test(text) ? `+${text}` : text
}
