import { organizationChanged } from '../membership/events.ts'
import {
  type By,
  change,
  normalDomain,
  note,
  type OrganizationHeld,
  type OrganizationStanding,
  refusalFor,
  type StoredPolicies,
  store,
  unmetBy,
} from '../membership/membership.ts'
import { tellOfPolicies } from '../notices/notices.ts'

export const getPolicies = ({ policies }: OrganizationStanding) => shownPolicies(policies)

/** As the contract has them. */
export function shownPolicies(policies: StoredPolicies | null) {
  const { secondFactor, waysIn, allowedDomains, ...hours } = policies ?? {}
  return {
    requireSecondFactor: secondFactor !== undefined,
    ...(secondFactor && { secondFactorBy: secondFactor.by }),
    ...(waysIn && { waysIn: [...waysIn] }),
    ...(allowedDomains && { allowedDomains: [...allowedDomains] }),
    ...hours,
  }
}

interface PolicyChanges {
  requireSecondFactor?: boolean | undefined
  secondFactorWindowDays?: number | undefined
  waysIn?: readonly string[] | null | undefined
  maxKeyAgeHours?: number | null | undefined
  maxIdleHours?: number | null | undefined
  allowedDomains?: readonly string[] | null | undefined
}

interface Changing {
  readonly standing: OrganizationStanding
  readonly by: By
}

/** From its commit on, it counts at every request, and what members follow is asked for again. */
export async function updatePolicies(
  auth: OrganizationHeld,
  changes: PolicyChanges,
  { standing, by }: Changing,
) {
  const now = auth.clock.now()
  return change(auth, { standing, by, permission: 'policy:update' }, async (tx, me) => {
    const { organizationId } = me
    const policies = changed(me.policies, changes, now)
    refuseOwnExclusion(policies, standing)
    await store.setPolicies(tx, organizationId, policies)
    const after = shownPolicies(policies)
    const details = { before: shownPolicies(me.policies), after }
    await note(auth, tx, { act: 'organization.policies_updated', organizationId, by, details })
    await organizationChanged.emit({ organizationId })
    await tellOfPolicies(tx, auth, { organizationId, before: me.policies, after: policies })
    return after
  })
}

/** Members who do not meet what they ask for would shut themselves out, and no one else may be there to let them in. */
function refuseOwnExclusion(policies: StoredPolicies, { facts }: OrganizationStanding) {
  // As of a member who comes now: for the caller, there is no window.
  const refusal = refusalFor(policies, unmetBy(policies, facts, facts.now))
  if (refusal) throw refusal
}

function changed(before: StoredPolicies | null, changes: PolicyChanges, now: Date): StoredPolicies {
  const { allowedDomains: domains, waysIn, maxKeyAgeHours, maxIdleHours } = changes
  const kept = before ?? {}
  const all = {
    secondFactor: factorAfter(kept.secondFactor, changes, now),
    waysIn: waysIn === undefined ? kept.waysIn : waysIn,
    maxKeyAgeHours: maxKeyAgeHours === undefined ? kept.maxKeyAgeHours : maxKeyAgeHours,
    maxIdleHours: maxIdleHours === undefined ? kept.maxIdleHours : maxIdleHours,
    allowedDomains:
      domains === undefined
        ? kept.allowedDomains
        : domains?.map((domain) => normalDomain(domain, 'body.allowedDomains')),
  }
  const asked = Object.entries(all).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(asked)
}

const dayMillis = 86_400_000
const usualDays = 7

/** A policy that is there already stays as it is, unless another window is set. */
function factorAfter(
  kept: StoredPolicies['secondFactor'],
  { requireSecondFactor: isRequired, secondFactorWindowDays: days }: PolicyChanges,
  now: Date,
) {
  if (isRequired === false) return undefined
  if (!kept && !isRequired) return undefined
  if (kept && days === undefined) return kept
  const by = new Date(now.getTime() + (days ?? usualDays) * dayMillis)
  return { since: now.toISOString(), by: by.toISOString() }
}
