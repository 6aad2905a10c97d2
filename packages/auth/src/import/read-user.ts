import { normaliseEmail, normalisePhone } from '../accounts/accounts.ts'
import { displayText } from '../display-text.ts'
import { storedHashProblem } from '../passwords/passwords.ts'
import { isReserved, parseUsername, readLocale, readWebAddress } from '../profile/profile.ts'
import { SOCIAL_PROVIDERS } from '../providers/fields.ts'
import type { ImportedAccount, ImportedUser, RefusalReason } from './imported-user.ts'
import { flagOf, idOf, isNothing, momentOf, textOf } from './records.ts'

/** A user as an export has them, under our names: no value is validated yet. */
export type GivenUser = { readonly [Member in keyof ImportedUser]?: unknown }

export interface ReadingRules {
  readonly usernames: Parameters<typeof parseUsername>[1]
  /** Whether an address counts as proved if the export does not say. */
  readonly emailsVerified: boolean
}

/**
 * Refuses a row that leaves no way to sign in. A less important value that is wrong is left out,
 * and reported.
 */
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
  const externalId = idOf(given.externalId)
  const accounts = knownAccounts(given.accounts, left)
  if (externalId === null || accounts === null) return 'id_invalid'
  const flags = readFlags({
    ...given,
    emailVerified: isNothing(given.emailVerified) ? emailsVerified : given.emailVerified,
  })
  if (!flags) return 'flag_unknown'
  const createdAt = momentOf(given.createdAt)
  if (createdAt === undefined && !isNothing(given.createdAt)) left.push('createdAt')
  // A password alone signs in nowhere: it needs an address or a number.
  if (email === undefined && phone === undefined && accounts.length === 0) return 'no_way_in'
  return {
    ...defined({
      externalId,
      email,
      phone,
      passwordHash,
      ...profileOf(given, { usernames, left }),
      createdAt,
    }),
    emailVerified: email !== undefined && flags.emailVerified,
    phoneVerified: phone !== undefined && flags.phoneVerified,
    role: textOf(given.role) ?? 'user',
    suspended: flags.suspended,
    accounts,
    left,
  }
}

/** Null if one of them cannot be understood. */
function readFlags(given: GivenUser) {
  const emailVerified = flagOf(given.emailVerified)
  const phoneVerified = flagOf(given.phoneVerified)
  const suspended = flagOf(given.suspended)
  if (emailVerified === null || phoneVerified === null || suspended === null) return null
  return { emailVerified, phoneVerified, suspended }
}

function profileOf(
  given: GivenUser,
  { usernames, left }: Pick<ReadingRules, 'usernames'> & { left: string[] },
) {
  const kept = leavingOut(left)
  return {
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
  }
}

const line = (value: unknown) => displayText(textOf(value), 100) ?? undefined

/** Undefined if there is no value, null if it breaks a rule. */
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

/** One account of each provider that signs in here. Null if an id is not valid. */
function knownAccounts(given: unknown, left: string[]) {
  const known = new Map<string, ImportedAccount>()
  for (const account of Array.isArray(given) ? given.slice(0, 100) : []) {
    const provider = textOf(account?.provider)
    const id = idOf(account?.id)
    if (provider === undefined || id === undefined) continue
    const isUsable = SOCIAL_PROVIDERS.has(provider) && !known.has(provider)
    if (!isUsable) left.push(displayText(provider, 64) ?? 'account')
    else if (id === null) return null
    else known.set(provider, { provider, id })
  }
  return [...known.values()]
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> }

function defined<Values extends object>(values: Values) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  // The members that are left have values.
  return Object.fromEntries(entries) as Defined<Values>
}
