import { EnvironmentError, type EnvironmentSource } from '@svc/core'
import {
  createAccount,
  findAccount,
  hasActiveHolder,
  normaliseEmail,
  normalisePhone,
} from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { inTransaction } from '../in-transaction.ts'
import { WeakPasswordError, type WeakPasswordReason } from '../passwords/errors.ts'
import { checkPassword } from '../passwords/passwords.ts'
import { type GivenAccount, givenAccounts } from './given-accounts.ts'

/**
 * The accounts that a server begins with. All faults are reported at once, and never with a value.
 */
export function readAdminAccounts(source: EnvironmentSource): AdminAccount[] {
  const problems: string[] = []
  const rules = { isProduction: source.NODE_ENV === 'production', problems }
  const accounts = givenAccounts(source).map((given) => readAdminAccount(given, rules))
  problems.push(...repeated(accounts.map(({ email }) => email)))
  if (problems.length > 0) throw new EnvironmentError(problems)
  return accounts
}

/**
 * Finds repeated addresses: of two accounts with one address, it is unclear which password and role
 * count.
 */
function repeated(emails: string[]) {
  const given = emails.filter((email) => email !== '')
  return new Set(given).size < given.length
    ? ['SVC_AUTH_ADMIN_ACCOUNTS and SVC_AUTH_ADMIN_EMAILS must name an email address once']
    : []
}

/** An account that a server begins with. */
interface AdminAccount {
  readonly email: string
  readonly phone: string | null
  readonly password: string
  readonly role: string
  readonly passwordChangeRequired: boolean
}

interface Rules {
  isProduction: boolean
  /**
   * Filled with the faults. A fault never repeats a value, because a password may be in the wrong
   * place.
   */
  problems: string[]
}

const names = ['email', 'phone', 'password', 'role', 'passwordChangeRequired']
const roles = ['user', 'admin', 'superadmin']

/** Reads an account. If it adds a problem, its result must not be used. */
function readAdminAccount(
  { members, nameOf }: GivenAccount,
  { isProduction, problems }: Rules,
): AdminAccount {
  const { role = 'user', passwordChangeRequired = true } = members
  const email = normalised(members.email, normaliseEmail)
  const phone = members.phone === undefined ? null : normalised(members.phone, normalisePhone)
  const password = typeof members.password === 'string' ? members.password : ''
  const wrong = {
    email: email === '' && 'must be an email address',
    phone: phone === '' && 'must be a phone number such as +12025550123',
    password: passwordProblem(password, { email, isProduction }),
    role: !roles.some((name) => name === role) && `must be one of: ${roles.join(', ')}`,
    passwordChangeRequired: typeof passwordChangeRequired !== 'boolean' && 'must be true or false',
    '*':
      Object.keys(members).some((name) => !names.includes(name)) &&
      `must be one of: ${names.join(', ')}`,
  }
  for (const [member, problem] of Object.entries(wrong)) {
    if (problem) problems.push(`${nameOf(member)} ${problem}`)
  }
  return {
    email,
    phone,
    password,
    role: roles.find((name) => name === role) ?? '',
    passwordChangeRequired: passwordChangeRequired !== false,
  }
}

function normalised(given: unknown, normalise: (text: string) => string) {
  try {
    return typeof given === 'string' ? normalise(given) : ''
  } catch {
    return ''
  }
}

interface Owner {
  email: string
  isProduction: boolean
}

const words: Record<WeakPasswordReason, string> = {
  too_short: 'must have at least 8 characters',
  too_long: 'must have at most 256 characters',
  common: 'is too easy to guess',
  account_name: 'must not be the address or username of its account',
  breached: 'is in a public list of leaked passwords',
}

/** The fault of a password, or null. Outside production it may be easy to guess, but not empty. */
function passwordProblem(password: string, { email, isProduction }: Owner) {
  const reasons = weaknesses(password, email)
  const refused = reasons.find(
    (reason) => isProduction || reason === 'too_short' || reason === 'too_long',
  )
  return refused === undefined ? null : words[refused]
}

function weaknesses(password: string, email: string) {
  try {
    checkPassword(password, { email })
    return []
  } catch (error) {
    if (error instanceof WeakPasswordError) return error.reasons
    throw error
  }
}

type SeedNeeds = Needs<'db' | 'clock' | 'passwords' | 'log'>

/**
 * Opens the accounts that don't exist yet. An existing one stays as it is, even if the variables
 * have changed: its owner may have another password, and an administrator may have given it another
 * role.
 */
export async function seedAdmins(auth: SeedNeeds, accounts: readonly AdminAccount[]) {
  for (const account of accounts) {
    // Looked up first, because hashing would slow down every restart.
    if (!(await isThere(auth, account))) await seedAdmin(auth, account)
  }
}

async function seedAdmin(auth: SeedNeeds, given: AdminAccount) {
  const { db, clock, passwords, log } = auth
  const { password, ...admin } = given
  const passwordHash = await passwords.hash(password)
  const now = clock.now()
  const isOpened = await inTransaction(db, async (tx) => {
    const account = await createAccount(tx, { ...admin, emailVerifiedAt: now, passwordHash, now })
    if (!account) return false
    const { userId: target } = account
    const details = { role: admin.role }
    await recordAudit(tx, { act: 'account.seeded', target, details, at: now })
    return true
  })
  // Otherwise another instance was faster.
  if (isOpened || (await isThere(auth, given))) return
  log.warn("An account of SVC_AUTH_ADMIN_ACCOUNTS was not opened: its phone is another account's")
}

/** Without a superadmin, no user can give roles to others, and no page of the app says why. */
export async function reportMissingSuperadmin({ db, log }: Needs<'db' | 'log'>) {
  if (await hasActiveHolder(db, 'superadmin')) return
  log.info(
    'no account is a superadmin: set SVC_AUTH_ADMIN_EMAIL and SVC_AUTH_ADMIN_PASSWORD, and restart',
  )
}

function isThere({ db }: SeedNeeds, { email }: AdminAccount) {
  return findAccount(db, { type: 'email', value: email })
}
