import type { TestAuth } from '@svc/auth/testing'
import { inputs, type Named, operatorNames } from '../inputs.ts'
import {
  askAs,
  type Caller,
  newOrganization,
  peopleOf,
  rowsOf,
  type TestOrganization,
} from '../people.ts'
import { seen } from '../test-application.ts'

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const perBatch = 40
const names = Object.keys(inputs)
const [ofAgents, ofOthers] = [true, false].map((isOfAgents) =>
  names.filter((name) => name.startsWith('agent') === isOfAgents),
) as [string[], string[]]
const listing = ['listCustomers', 'agentCustomers', 'agentAnywhere']
// An operator may see and close any organization.
const ofMembers = names.filter((name) => !operatorNames.includes(name))

/**
 * Batches of requests in two organizations. In each batch, one of the two is a victim: its members ask for nothing in
 * it, so that no row of it may change, and no answer may show what only its rows contain.
 */
export async function createFuzz(auth: TestAuth, seed: number) {
  // Another file of tests in this process may have left what its jobs have seen.
  seen.clear()
  const random = randomOf(seed)
  const pick = <Item>(of: readonly Item[]) => of[Math.floor(random() * of.length)] as Item
  const { users, callers, programs } = await peopleOf(auth)
  const both = await auth.signedInUser()
  const everyone: Record<string, Caller> = { ...callers, both }
  const done = new Set<string>()
  const markOf = new Map<string, string>()
  let sent = 0
  let successes = 0

  /** The organization of the callers. */
  const attackers = (isClosed: boolean) =>
    newOrganization(auth, {
      members: {
        [users.owner.userId]: ['owner'],
        [users.admin.userId]: ['admin'],
        [users.clerk.userId]: ['clerk'],
        [users.member.userId]: ['member'],
        [users.supported.userId]: ['member'],
        [both.userId]: ['owner', 'clerk'],
      },
      invited: users.stranger.email,
      joinable: users.former.email,
      isClosed,
      programs: Object.values(programs),
      hasProgram: true,
    })

  const victims = () =>
    newOrganization(auth, {
      members: { [crypto.randomUUID()]: ['owner'], [both.userId]: ['owner'] },
      hasProgram: true,
    })

  /** Of each thing that a request may name, that of one of the two. `both` may do all in the victim, so it asks elsewhere. */
  function mixOf(own: TestOrganization, victim: TestOrganization, as: string): Named {
    const usual = random() < 0.5
    const of = (name: keyof Named) =>
      pick(usual ? [own, own, own, victim] : [own, victim]).named[name]
    const { org, organizationId } =
      as === 'both' ? own.named : { org: of('org'), organizationId: of('organizationId') }
    return {
      org,
      organizationId,
      userId: random() < 0.3 ? pick(Object.values(users)).userId : of('userId'),
      role: pick([of('role'), 'admin', 'member', 'clerk']),
      invitationId: of('invitationId'),
      token: of('token'),
      customerId: of('customerId'),
      teamId: of('teamId'),
      programId: of('programId'),
      keyId: of('keyId'),
      domain: of('domain'),
      after: random() < 0.3 ? of('after') : '',
    }
  }

  /** Mostly of its kind: routes of agents refuse all others, and all others refuse an agent. */
  function usualOf(as: string) {
    if (random() < 0.1) return names
    return as === 'org agent' ? ofAgents : ofOthers
  }

  const withCursor = async (organization: TestOrganization, caller: Caller) => {
    const { text } = await askAs(auth, caller, 'listOrganizationMembers', organization.named)
    const { next: after = '' } = JSON.parse(text)
    return { ...organization, named: { ...organization.named, after } }
  }

  /** A job may run after its batch. */
  function jobFaults() {
    const foreign = [...seen].filter(([run, text]) => {
      const mark = markOf.get(run.split(' ')[0] ?? '')
      return text.match(/mark-[0-9a-f]+/g)?.some((each) => each !== mark)
    })
    seen.clear()
    return foreign.map(([run, text]) => `a job of another organization: ${run} ${text}`)
  }

  /** Of these operations alone, if some are named. */
  async function batch(only: readonly string[] = []) {
    const own = await withCursor(await attackers(random() < 0.1), both)
    const victim = await withCursor(await victims(), both)
    const before = await rowsOf(auth, victim.named.org)
    const faults: string[] = []
    const ask = async () => {
      const as = pick(Object.keys(everyone))
      const usual = as === 'superadmin' ? ofMembers : usualOf(as)
      const name = pick(only.length > 0 ? only : usual)
      const named = mixOf(own, victim, as)
      sent += 1
      const { status, text } = await askAs(auth, everyone[as] ?? {}, name, named)
      if (status < 300) {
        successes += 1
        done.add(name)
      }
      const told = `${as}: ${name} ${JSON.stringify(named)} ${status} ${text.slice(0, 300)}`
      // The list of a caller who is in both shows both.
      const isOwnList = as === 'both' && name === 'listOrganizations'
      // Its reader has the token of the mail.
      const isOffer = name === 'getOrganizationInvitation' && named.token === victim.named.token
      if (text.includes(victim.mark) && !isOwnList && !isOffer)
        faults.push(`shows the victim: ${told}`)
      const isOwn = name === 'agentAnywhere' || named.org === own.named.org
      const lists = listing.includes(name) && isOwn && status === 200
      if (lists && !text.includes(own.mark)) faults.push(`shows not its own: ${told}`)
      if (status >= 500) faults.push(`fails: ${told}`)
    }
    await Promise.all(Array.from({ length: perBatch }, ask))
    markOf.set(own.named.org, own.mark)
    faults.push(...jobFaults())
    if ((await rowsOf(auth, victim.named.org)) !== before)
      faults.push('a row of the victim changed')
    return faults
  }

  return {
    batch,
    sent: () => sent,
    shareOfDone: () => successes / sent,
    /** Operations that no request has done. */
    neverDone: () => ofMembers.filter((name) => !done.has(name)),
  }
}
