import { EnvironmentError, type EnvironmentSource } from '@svc/core'
import { type AdminAccount, readAdminAccount } from './admin-account.ts'
import { givenAccounts } from './given-accounts.ts'

/** The accounts that a server begins with. All that is wrong with them is reported at once, and without a value. */
export function readAdminAccounts(source: EnvironmentSource): AdminAccount[] {
  const problems: string[] = []
  const rules = { isProduction: source.NODE_ENV === 'production', problems }
  const accounts = givenAccounts(source).map((given) => readAdminAccount(given, rules))
  problems.push(...repeated(accounts.map(({ email }) => email)))
  if (problems.length > 0) throw new EnvironmentError(problems)
  return accounts
}

/** Which of two would be the account, with which password and role? */
function repeated(emails: string[]) {
  const given = emails.filter((email) => email !== '')
  return new Set(given).size < given.length
    ? ['SVC_AUTH_ADMIN_ACCOUNTS and SVC_AUTH_ADMIN_EMAILS must name an email address once']
    : []
}
