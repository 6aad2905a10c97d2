import { asciiDomain } from '@svc/auth'
import { isOfDomains } from '../../membership/client.ts'
import type { Member, OrganizationPolicies } from '../organization-api.ts'

/** The policies as a form has them: what is empty is not asked. */
export interface PolicyInput {
  requireSecondFactor: boolean
  secondFactorWindowDays: string
  waysIn: readonly string[]
  maxKeyAgeHours: string
  maxIdleHours: string
  allowedDomains: string
}

export function inputOf(policies: OrganizationPolicies): PolicyInput {
  const { requireSecondFactor, waysIn = [], maxKeyAgeHours, maxIdleHours } = policies
  return {
    requireSecondFactor,
    // Empty keeps the day that members were told.
    secondFactorWindowDays: requireSecondFactor ? '' : '7',
    waysIn,
    maxKeyAgeHours: maxKeyAgeHours === undefined ? '' : String(maxKeyAgeHours),
    maxIdleHours: maxIdleHours === undefined ? '' : String(maxIdleHours),
    allowedDomains: (policies.allowedDomains ?? []).join('\n'),
  }
}

const mostDays = 30
/** The life of a key. */
const mostHours = 2160

/** Which numbers the API would refuse. As JSON, what is no number would end the policy. */
export function wrongOf(input: PolicyInput) {
  return {
    secondFactorWindowDays: !isWithin(input.secondFactorWindowDays, 0, mostDays),
    maxKeyAgeHours: !isWithin(input.maxKeyAgeHours, 1, mostHours),
    maxIdleHours: !isWithin(input.maxIdleHours, 1, mostHours),
  }
}

function isWithin(text: string, least: number, most: number) {
  const trimmed = text.trim()
  return trimmed === '' || (/^\d{1,4}$/.test(trimmed) && +trimmed >= least && +trimmed <= most)
}

/** What `updateOrganizationPolicies` is told. */
export function bodyOf(input: PolicyInput) {
  const { requireSecondFactor, waysIn } = input
  const days = numberOf(input.secondFactorWindowDays)
  const domains = domainsOf(input)
  return {
    requireSecondFactor,
    ...(requireSecondFactor && days !== null && { secondFactorWindowDays: days }),
    waysIn: waysIn.length > 0 ? [...waysIn] : null,
    maxKeyAgeHours: numberOf(input.maxKeyAgeHours),
    maxIdleHours: numberOf(input.maxIdleHours),
    allowedDomains: domains.length > 0 ? domains : null,
  }
}

const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

function domainsOf({ allowedDomains }: Pick<PolicyInput, 'allowedDomains'>) {
  const given = allowedDomains.split(/[\s,;]+/).map((domain) => domain.replace(/^@/, ''))
  // The API refuses what is none, and is told it as it was written.
  return [...new Set(given.filter(Boolean).map((domain) => asciiDomain(domain) || domain))]
}

/** The members who have no address of the domains. */
export function outsideOf(input: Pick<PolicyInput, 'allowedDomains'>, members: readonly Member[]) {
  const domains = domainsOf(input)
  if (domains.length === 0) return []
  return members.filter(({ email }) => !isOfDomains(domains, email))
}
