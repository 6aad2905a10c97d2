import { randomBytes } from 'node:crypto'
import { readNames, type Standing } from '@svc/auth/server'
import type { Tx } from '@svc/core'
import {
  OrganizationDomainExistsError,
  OrganizationDomainNotFoundError,
  OrganizationDomainTakenError,
  OrganizationDomainUnprovedError,
  OrganizationFullError,
} from '../membership/errors.ts'
import {
  type By,
  type Changer,
  change,
  invalidDomain,
  membersAmong,
  nameIn,
  normalDomain,
  note,
  type OrganizationAct,
  type OrganizationHeld,
  refuseGreaterRoles,
} from '../membership/membership.ts'
import { tellOfDomain } from '../notices/notices.ts'
import { refusePersonal } from '../personal/personal.ts'
import { longestDomain, missedBy, recordOf } from './look-up.ts'
import * as store from './store.ts'

export { forgetDomainsOf, isOnlyRoleOfDomain, rolesOfDomains, takeFromDomains } from './store.ts'

const permission = 'domain:manage'
const mostDomains = 20

interface Changing {
  readonly standing: Standing
  readonly by: By
}

interface OfDomain extends Changing {
  readonly domain: string
}

function shown({ domain, roles, addedAt, verifiedAt, lastCheckedAt, ...row }: store.StoredDomain) {
  const { challenge, failingSince } = row
  const endsAt = failingSince && new Date(failingSince.getTime() + store.windowMillis)
  return {
    domain,
    roles,
    record: recordOf({ domain, challenge }),
    addedAt: addedAt.toISOString(),
    ...(verifiedAt && { verifiedAt: verifiedAt.toISOString() }),
    ...(lastCheckedAt && { lastCheckedAt: lastCheckedAt.toISOString() }),
    ...(endsAt && { endsAt: endsAt.toISOString() }),
  }
}

interface Wanted {
  readonly domain: string
  readonly roles?: readonly string[] | undefined
}

export async function addDomain(
  auth: OrganizationHeld,
  { domain: given, roles: wanted = ['member'] }: Wanted,
  asked: Changing,
) {
  const domain = readDomain(auth, given)
  const roles = readRoles(wanted)
  return change(auth, { ...asked, permission }, async (tx, me) => {
    const { organizationId, userId: addedBy } = me
    await refusePersonal(tx, organizationId)
    await refuseGreaterRoles(auth, tx, { me, roles })
    const challenge = randomBytes(32).toString('base64url')
    const addedAt = auth.clock.now()
    const row = { organizationId, domain, challenge, roles, addedBy, addedAt }
    const added = await store.insert(tx, row)
    if (!added) throw new OrganizationDomainExistsError()
    // The new one is counted.
    if ((await store.domainsOf(tx, organizationId)).length > mostDomains) {
      throw new OrganizationFullError()
    }
    await told(auth, tx, { act: 'organization.domain_added', me, domain: added })
    return shown(added)
  })
}

const path = 'body.domain'

/** A domain that can belong to one organization. */
function readDomain({ publicMailDomains }: OrganizationHeld, given: string) {
  const domain = normalDomain(given, path)
  if (!domain.includes('.')) {
    throw invalidDomain(path, 'Enter the whole domain, such as acme.example.')
  }
  if (domain.length > longestDomain) {
    throw invalidDomain(path, `Enter a domain of at most ${longestDomain} characters.`)
  }
  if (publicMailDomains.has(domain)) {
    throw invalidDomain(path, `Everyone can get an address at ${domain}. Use a domain of your own.`)
  }
  return domain
}

/** Otherwise everyone at the domain could close the organization. */
function readRoles(wanted: readonly string[]) {
  if (!wanted.includes('owner')) return [...new Set(wanted)]
  throw invalidDomain('body.roles', 'A domain can’t make owners. Choose another role.')
}

export async function listDomains({ db }: OrganizationHeld, { id }: Standing) {
  const domains = await store.domainsOf(db, id)
  const adders = domains.flatMap(({ addedBy }) => (addedBy === null ? [] : [addedBy]))
  // An account that has left keeps its name to itself.
  const names = await readNames(db, await membersAmong(db, id, [...new Set(adders)]))
  return domains.map((domain) => {
    const addedByName = nameIn(names, domain.addedBy)
    return { ...shown(domain), ...(addedByName && { addedByName }) }
  })
}

/** Looks up the record of a domain, and proves it by that. The look-up takes time, so no row is locked meanwhile. */
export async function verifyDomain(auth: OrganizationHeld, { domain, ...asked }: OfDomain) {
  const { standing, by } = asked
  await auth.limits.take('organization domain check by account', by.userId)
  const key = { organizationId: standing.id, domain }
  const wanted = await store.find(auth.db, key)
  if (!wanted) throw new OrganizationDomainNotFoundError()
  const missed = await missedBy(auth, wanted)
  if (missed) throw new OrganizationDomainUnprovedError(missed)
  const { challenge } = wanted
  return change(auth, { ...asked, permission }, async (tx, me) => {
    await store.lockDomain(tx, domain)
    const stored = await store.find(tx, key)
    if (!stored) throw new OrganizationDomainNotFoundError()
    // Its people get these roles from now on.
    await refuseGreaterRoles(auth, tx, { me, roles: stored.roles })
    const found = { ...key, challenge, at: auth.clock.now() }
    const proved = await store.prove(tx, found)
    if (proved) {
      await told(auth, tx, { act: 'organization.domain_verified', me, domain: proved })
      const { roles } = proved
      const { organizationId, userId } = me
      await tellOfDomain(tx, auth, { organizationId, by: userId, domain, roles })
      return shown(proved)
    }
    const kept = await store.keep(tx, found)
    if (kept) return shown(kept)
    // Another record was asked for meanwhile.
    if (stored.challenge !== challenge) throw new OrganizationDomainNotFoundError()
    throw new OrganizationDomainTakenError()
  })
}

/** Those who have joined by it stay. */
export async function removeDomain(auth: OrganizationHeld, { domain, ...asked }: OfDomain) {
  await change(auth, { ...asked, permission }, async (tx, me) => {
    const removed = await store.remove(tx, { organizationId: me.organizationId, domain })
    if (!removed) throw new OrganizationDomainNotFoundError()
    await refuseGreaterRoles(auth, tx, { me, roles: removed.roles })
    await told(auth, tx, { act: 'organization.domain_removed', me, domain: removed })
  })
}

interface Told {
  readonly act: OrganizationAct
  readonly me: Changer
  readonly domain: store.StoredDomain
}

function told(auth: OrganizationHeld, tx: Tx, { act, me, domain: { domain, roles } }: Told) {
  const { organizationId } = me
  const details = { domain, roles }
  return note(auth, tx, { act, organizationId, by: me, target: domain, details })
}
