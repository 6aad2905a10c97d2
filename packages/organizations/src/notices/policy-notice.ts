import { findReaders, type Reader } from '@svc/auth/server'
import { defineJob, type JobContext, type OutputOf, type Tx, t } from '@svc/core'
import type { PolicyNeed } from '../membership/errors.ts'
import {
  factorDue,
  findOrganization,
  heldOn,
  isAllowed,
  type OrganizationHeld,
  type StoredPolicies,
  store,
} from '../membership/membership.ts'
import { policiesMail } from './member-mails.ts'
import { mayMail, orLog, pageOf, sendTo } from './send.ts'

const Queued = t.Object({
  organizationId: t.String(),
  /** What has begun to be asked. */
  needs: t.Array(t.String()),
  /** Where the next page of members begins. */
  after: t.Optional(t.String()),
})
type Queued = OutputOf<typeof Queued>

const perPage = 200

/** Tells those members who have something to do. It goes through all of them, page by page. */
export const policyNotice = defineJob('organizations.policy-notice').input(Queued).handler(sendPage)

/** A page is one transaction with the job of the next page: after a failure, none is mailed twice. */
async function sendPage(queued: Queued, { db, attempt }: JobContext): Promise<void> {
  const { organizationId, needs, after } = queued
  const auth = heldOn(db)
  if (!auth) throw new Error('Organizations have not started yet.')
  const now = auth.clock.now()
  const limit = 'policy mails by organization'
  // An earlier attempt has counted it.
  const isCounted = after !== undefined || attempt > 1
  if (!isCounted && !(await mayMail(auth, limit, organizationId))) return
  await db.transaction(async (tx) => {
    const organization = await findOrganization(tx, organizationId)
    // As they are by now: a policy that has ended is not told of.
    if (organization?.state !== 'open' || !organization.policies) return
    const { policies, name, slug } = organization
    const { items, next } = await store.memberPage(tx, { organizationId, after, limit: perPage })
    const joinedAt = new Map(items.map((member) => [member.userId, member.joinedAt]))
    const readers = await findReaders(tx, { userIds: [...joinedAt.keys()], now })
    for (const reader of readers) {
      const since = joinedAt.get(reader.userId) ?? now
      const lacks = lackedBy(policies, reader, { joinedAt: since, needs, now })
      if (!lacks) continue
      const data = { organization: name, url: pageOf(auth, slug), ...lacks }
      await sendTo(reader, policiesMail, { data, log: auth.log })
    }
    if (next !== undefined) await policyNotice.enqueue({ ...queued, after: next })
  })
}

interface Asked {
  readonly joinedAt: Date
  readonly needs: readonly string[]
  readonly now: Date
}

/** Null if the member meets what has begun. Of the ways in, one device that has signed in by one of them is enough. */
function lackedBy(policies: StoredPolicies, reader: Reader, { joinedAt, needs, now }: Asked) {
  const { allowedDomains: domains, waysIn: ways } = policies
  const by = needs.includes('second-factor') ? factorDue(policies, reader, joinedAt) : null
  const isElsewhere = needs.includes('domain') && !isAllowed(policies, reader.email)
  const isOtherWay =
    needs.includes('way-in') && !ways?.some((way) => reader.signedInBy.includes(way))
  const lacks = {
    ...(by && { secondFactorBy: by.toISOString() }),
    ...(domains && isElsewhere && { domains: [...domains] }),
    ...(ways && isOtherWay && { ways: [...ways] }),
  }
  if (Object.keys(lacks).length === 0) return null
  return { ...lacks, isSecondFactorDue: by !== null && by <= now }
}

interface Change {
  readonly organizationId: string
  readonly before: StoredPolicies | null
  readonly after: StoredPolicies
}

/**
 * Queues the mails to members who have something to do now, once the open transaction has committed. A change that asks nothing
 * more of anyone tells nothing. The ages of keys tell nothing either: members meet them by the sign-in that they are
 * asked for anyway.
 */
export async function tellOfPolicies(
  tx: Tx,
  auth: OrganizationHeld,
  { organizationId, before, after }: Change,
) {
  const needs = begunBy(before ?? {}, after)
  if (needs.length === 0) return
  await orLog(tx, auth, () => policyNotice.enqueue({ organizationId, needs }))
}

function begunBy(before: StoredPolicies, after: StoredPolicies) {
  const { secondFactor: factor } = after
  const sooner = !before.secondFactor || (factor && factor.by < before.secondFactor.by)
  const begun: [PolicyNeed, boolean][] = [
    ['domain', isNarrower(before.allowedDomains, after.allowedDomains)],
    ['second-factor', factor !== undefined && Boolean(sooner)],
    ['way-in', isNarrower(before.waysIn, after.waysIn)],
  ]
  return begun.filter(([, hasBegun]) => hasBegun).map(([need]) => need)
}

/** Of what was allowed, some is not any more. Without a list, all is allowed. */
const isNarrower = (before: readonly string[] | undefined, after: readonly string[] | undefined) =>
  after !== undefined && (!before || before.some((each) => !after.includes(each)))
