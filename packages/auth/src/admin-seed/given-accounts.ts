import { defineEnv, EnvironmentError, type EnvironmentSource, optional, parseJson } from '@svc/core'
import { isObject } from '../is-object.ts'

/** An account as a source gives it, not validated yet. */
export interface GivenAccount {
  readonly members: Readonly<Record<string, unknown>>
  /** The name of a member in a fault: the variable that holds it. */
  readonly nameOf: (member: string) => string
}

const readSources = defineEnv({
  SVC_AUTH_ADMIN_ACCOUNTS: optional,
  SVC_AUTH_ADMIN_EMAILS: optional,
  SVC_AUTH_ADMIN_PASSWORDS: optional,
  SVC_AUTH_ADMIN_ROLES: optional,
  SVC_AUTH_ADMIN_EMAIL: optional,
  SVC_AUTH_ADMIN_PASSWORD: optional,
})

type Sources = ReturnType<typeof readSources>

/** The first source that is set; the others are ignored. */
export function givenAccounts(source: EnvironmentSource): GivenAccount[] {
  const sources = readSources(source)
  const { SVC_AUTH_ADMIN_ACCOUNTS: json, SVC_AUTH_ADMIN_ROLES: roles } = sources
  if (json !== undefined) return accountsOfJson(json)
  if (sources.SVC_AUTH_ADMIN_EMAILS ?? sources.SVC_AUTH_ADMIN_PASSWORDS ?? roles) {
    return accountsOfLists(sources)
  }
  if (sources.SVC_AUTH_ADMIN_EMAIL ?? sources.SVC_AUTH_ADMIN_PASSWORD) {
    return [singleAccount(sources)]
  }
  return []
}

function accountsOfJson(text: string) {
  const accounts = parse(text)
  if (!Array.isArray(accounts) || !accounts.every(isObject)) {
    throw new EnvironmentError(['SVC_AUTH_ADMIN_ACCOUNTS must be a JSON array of accounts'])
  }
  return accounts.map((members, index) => ({
    members,
    nameOf: (member: string) => `SVC_AUTH_ADMIN_ACCOUNTS[${index}].${member}`,
  }))
}

function parse(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return null
  }
}

/**
 * The values at the same position of each list belong together. An empty position counts, or later
 * ones would shift to another account.
 */
function accountsOfLists(sources: Sources): GivenAccount[] {
  const emails = places(sources.SVC_AUTH_ADMIN_EMAILS ?? '')
  const passwords = places(sources.SVC_AUTH_ADMIN_PASSWORDS ?? '')
  const roles =
    sources.SVC_AUTH_ADMIN_ROLES === undefined ? null : places(sources.SVC_AUTH_ADMIN_ROLES)
  if (passwords.length !== emails.length || (roles && roles.length !== emails.length)) {
    const names = 'SVC_AUTH_ADMIN_EMAILS, SVC_AUTH_ADMIN_PASSWORDS and SVC_AUTH_ADMIN_ROLES'
    throw new EnvironmentError([`${names} must be lists of the same length`])
  }
  return emails.map((email, index) => ({
    members: { email, password: passwords[index], role: roles?.[index] },
    nameOf: (member) => `SVC_AUTH_ADMIN_${member.toUpperCase()}S[${index}]`,
  }))
}

function places(list: string) {
  return list.split(',').map((item) => item.trim())
}

function singleAccount(sources: Sources): GivenAccount {
  const { SVC_AUTH_ADMIN_EMAIL: email, SVC_AUTH_ADMIN_PASSWORD: password } = sources
  return {
    members: { email, password, role: 'superadmin' },
    nameOf: (member) => `SVC_AUTH_ADMIN_${member.toUpperCase()}`,
  }
}
