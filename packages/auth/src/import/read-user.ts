import { normaliseEmail, normalisePhone } from '../accounts/identifier.ts'
import { displayText } from '../keys/display-text.ts'
import { storedHashProblem } from '../passwords/stored-hash-problem.ts'
import { readLocale } from '../profile/locale.ts'
import { isReserved, parseUsername } from '../profile/username.ts'
import { readWebAddress } from '../profile/web-address.ts'
import { SOCIAL_PROVIDERS } from '../providers/social-providers.ts'
import type { ImportedAccount, ImportedUser, RefusalReason } from './imported-user.ts'
import { flagOf, momentOf, textOf } from './values.ts'

/** A user as an export has them, in our words: no value has been looked at. */
export type GivenUser = { readonly [Member in keyof ImportedUser]?: unknown }

export interface ReadingRules {
  readonly usernames: Parameters<typeof parseUsername>[1]
  /** Every address counts as proved. */
  readonly emailsVerified: boolean
}

/** What nobody could sign in with is a refusal; what is only nice to have is left out, and said. */
export function readUser(
  given: GivenUser,
  { usernames, emailsVerified }: ReadingRules,
): ImportedUser | RefusalReason {
  const email = orNull(textOf(given.email), (text) => normaliseEmail(text))
  const phone = orNull(textOf(given.phone), (text) => normalisePhone(text))
  if (email === null) return 'email_invalid'
  if (phone === null) return 'phone_invalid'
  const passwordHash = textOf(given.passwordHash)
  const problem = passwordHash === undefined ? null : storedHashProblem(passwordHash)
  if (problem) return problem
  const left: string[] = []
  const kept = leavingOut(left)
  const accounts = knownAccounts(given.accounts, left)
  // A password needs something to be typed with it.
  if (email === undefined && phone === undefined && accounts.length === 0) return 'no_way_in'
  return {
    ...defined({
      externalId: textOf(given.externalId)?.slice(0, 255),
      email,
      phone,
      passwordHash,
      username: kept('username', given.username, (text) => {
        const username = parseUsername(text, usernames)
        return username === null || isReserved(username, usernames) ? null : username
      }),
      displayName: line(given.displayName),
      firstName: line(given.firstName),
      lastName: line(given.lastName),
      avatarUrl: kept('avatarUrl', given.avatarUrl, (text) =>
        text.length > 2048 ? null : readWebAddress(text, 'avatarUrl'),
      ),
      locale: kept('locale', given.locale, (text) => (text.length > 64 ? null : readLocale(text))),
      createdAt: momentOf(given.createdAt),
    }),
    emailVerified: email !== undefined && (emailsVerified || flagOf(given.emailVerified)),
    phoneVerified: phone !== undefined && flagOf(given.phoneVerified),
    role: textOf(given.role) ?? 'user',
    suspended: flagOf(given.suspended),
    accounts,
    left,
  }
}

const line = (value: unknown) => displayText(textOf(value), 100) ?? undefined

/** Undefined where there is nothing, null where it breaks a rule. */
function orNull(text: string | undefined, read: (text: string) => string | null) {
  if (text === undefined) return undefined
  try {
    return read(text)
  } catch {
    return null
  }
}

function leavingOut(left: string[]) {
  return (member: string, value: unknown, read: (text: string) => string | null) => {
    const result = orNull(textOf(value), read)
    if (result === null) left.push(member)
    return result ?? undefined
  }
}

/** One of each provider, and of those that somebody could sign in with here. */
function knownAccounts(given: unknown, left: string[]) {
  const known = new Map<string, ImportedAccount>()
  for (const account of Array.isArray(given) ? given.slice(0, 100) : []) {
    const provider = textOf(account?.provider)
    const id = textOf(account?.id)
    if (provider === undefined || id === undefined) continue
    const isUsable = SOCIAL_PROVIDERS.has(provider) && !known.has(provider) && id.length <= 255
    if (isUsable) known.set(provider, { provider, id })
    else left.push(displayText(provider, 64) ?? 'account')
  }
  return [...known.values()]
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

function defined<Values extends object>(values: Values) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  // The members that are left have a value.
  return Object.fromEntries(entries) as Defined<Values>
}
