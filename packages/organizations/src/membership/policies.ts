import type { CallerFacts } from '@svc/auth/server'
import type { StoredPolicies } from '../schema.ts'
import { isOfDomains } from './domain-rule.ts'
import { OrganizationPolicyError, type PolicyNeed } from './errors.ts'

export type { StoredPolicies }

const hourSeconds = 3600

/** What a member has to do before anything else in the organization. What signing in can't mend comes first. */
export function unmetBy(
  policies: StoredPolicies | null,
  facts: CallerFacts,
  joinedAt: Date,
): readonly PolicyNeed[] {
  if (!policies) return []
  const { waysIn } = policies
  const { signIn } = facts
  const due = factorDue(policies, facts, joinedAt)
  const unmet: [PolicyNeed, boolean][] = [
    ['domain', !isAllowed(policies, facts.email)],
    ['second-factor', due !== null && due <= facts.now],
    ['way-in', waysIn !== undefined && signIn !== null && !waysIn.includes(signIn.by ?? '')],
    ['sign-in-again', isTooOld(policies, facts)],
  ]
  return unmet.filter(([, isUnmet]) => isUnmet).map(([need]) => need)
}

/** From when on the second factor is asked of this member. Null if it is not, or if the account has one. */
export function factorDue(
  policies: StoredPolicies | null,
  { hasSecondFactor }: Pick<CallerFacts, 'hasSecondFactor'>,
  joinedAt: Date,
) {
  if (!policies?.secondFactor || hasSecondFactor) return null
  const { since, by } = policies.secondFactor
  return joinedAt < new Date(since) ? new Date(by) : joinedAt
}

function isTooOld({ maxKeyAgeHours, maxIdleHours }: StoredPolicies, { signIn, now }: CallerFacts) {
  if (!signIn) return false
  const ageSeconds = (now.getTime() - signIn.at.getTime()) / 1000
  const isOver = (seconds: number, hours: number | undefined) =>
    hours !== undefined && seconds > hours * hourSeconds
  return isOver(ageSeconds, maxKeyAgeHours) || isOver(signIn.unusedSeconds, maxIdleHours)
}

export function isAllowed(policies: StoredPolicies | null, email: string | null) {
  const domains = policies?.allowedDomains
  return !domains || isOfDomains(domains, email)
}

/** For an address that is invited, or whose owner accepts. */
export function refuseOtherDomain(policies: StoredPolicies | null, email: string | null) {
  if (!isAllowed(policies, email)) throw new OrganizationPolicyError({ needs: 'domain' })
}

/** The one refusal of a member who has something to do. Null if there is nothing. */
export function refusalFor(policies: StoredPolicies | null, [needs]: readonly PolicyNeed[]) {
  if (!needs) return null
  const ways = needs === 'way-in' ? policies?.waysIn : undefined
  return new OrganizationPolicyError({ needs, ...(ways && { ways: [...ways] }) })
}
