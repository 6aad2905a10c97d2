import { createLogger } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestDns } from '../../../../scripts/test-dns.ts'
import { heldOn } from '../membership/membership.ts'
import { nameOf, startTestOrganizations } from '../test-organizations.ts'
import { missedBy } from './look-up.ts'
import { checkDomains, recheck } from './recheck.ts'
import { domainStepsOf } from './test-domains.ts'

const dns = await startTestDns()
const auth = await startTestOrganizations({}, { dnsResolver: dns.resolver })
afterAll(async () => {
  await auth.stop()
  dns.stop()
})
const { apiOf, userAt, added, proved, verify, list, join, trail } = domainStepsOf(auth, dns)
const { db } = auth.auth

type User = Awaited<ReturnType<typeof userAt>>

describe('the daily check', () => {
  const run = async (days: string) => {
    auth.clock.advance(days)
    const held = heldOn(db)
    if (!held) throw new Error('No server.')
    await auth.within(() => recheck(held))
  }
  const rowOf = async (user: User, org: string) => (await list(user, org))[0]
  const inDays = (days: number) =>
    new Date(auth.clock.now().getTime() + days * 86_400_000).toISOString()

  it('ends a proof whose record is gone for three days, and members stay', async () => {
    const { owner, org, domain, record } = await proved()
    const colleague = await userAt(domain)
    await join(colleague, org)
    dns.answers.delete(record.name)
    await run('23h')
    expect(await rowOf(owner, org)).not.toHaveProperty('endsAt')
    await run('1h')
    const endsAt = inDays(3)
    expect(await rowOf(owner, org)).toMatchObject({ endsAt, verifiedAt: expect.any(String) })
    await run('1d')
    await run('1d')
    expect(await rowOf(owner, org)).toMatchObject({ endsAt, verifiedAt: expect.any(String) })
    const late = await userAt(domain)
    auth.clock.advance('1d')
    // Also if the job is late.
    expect(await nameOf(join(late, org))).toBe('OrganizationNotFoundError')
    await run('1h')
    const after = await rowOf(owner, org)
    expect(after).toMatchObject({ domain, lastCheckedAt: auth.clock.now().toISOString() })
    expect(after).not.toHaveProperty('verifiedAt')
    expect(after).not.toHaveProperty('endsAt')
    expect(await nameOf(join(late, org))).toBe('OrganizationNotFoundError')
    const params = { org }
    expect((await apiOf(colleague).getOrganization.call({ params })).roles).toEqual(['member'])
    const [ended, ...more] = await trail(owner, org, 'organization.domain_ended')
    expect(ended).toMatchObject({ target: domain, details: { domain, roles: ['member'] } })
    expect(ended).not.toHaveProperty('actor')
    expect(more).toEqual([])
    // The same record proves it again.
    dns.answers.set(record.name, [record.value])
    await verify(owner, org, domain)
    expect(await nameOf(join(late, org))).toBe('done')
  })

  it('counts servers that do not answer within these days, and begins again when the record is back', async () => {
    const { owner, org, domain, record } = await proved()
    dns.answers.set(record.name, 'SERVFAIL')
    await run('1d')
    expect(await rowOf(owner, org)).toMatchObject({ endsAt: inDays(3) })
    dns.answers.set(record.name, 'silence')
    await run('1d')
    await run('1d')
    expect(await rowOf(owner, org)).toMatchObject({ endsAt: inDays(1) })
    dns.answers.set(record.name, [record.value])
    await run('1d')
    expect(await rowOf(owner, org)).not.toHaveProperty('endsAt')
    dns.answers.set(record.name, 'silence')
    await run('3d')
    expect(await rowOf(owner, org)).toMatchObject({ endsAt: inDays(3) })
    await run('3d')
    expect(await rowOf(owner, org)).not.toHaveProperty('verifiedAt')
    expect(await nameOf(join(await userAt(domain), org))).toBe('OrganizationNotFoundError')
  })

  it('ends a proof once where two instances check it at the same time', async () => {
    const { owner, org, record } = await proved()
    dns.answers.delete(record.name)
    await run('1d')
    await Promise.all([run('3d'), run('0d')])
    const after = await rowOf(owner, org)
    expect(after).not.toHaveProperty('verifiedAt')
    expect(after).not.toHaveProperty('endsAt')
    expect(await trail(owner, org, 'organization.domain_ended')).toHaveLength(1)
  })

  it('takes any other failure of the resolver as no answer, which stops no other check', async () => {
    const dnsResolver = { resolveTxt: () => Promise.reject(new Error('fetch failed')) }
    const wanted = { domain: 'acme.example', challenge: 'a' }
    const missed = await missedBy({ dnsResolver, log: createLogger({ level: 'silent' }) }, wanted)
    expect(missed).toMatchObject({ failure: 'no-answer', found: [] })
  })

  it('is a job, looks up many, and each of them once a day', async () => {
    const { owner, org, record } = await proved()
    for (let times = 0; times < 11; times += 1) {
      const { domain } = await added(owner, org)
      await verify(owner, org, domain)
    }
    const names = (await list(owner, org)).map((each) => each.record.name)
    expect(names).toContain(record.name)
    auth.clock.advance('1d')
    dns.asked.length = 0
    await auth.within(() => checkDomains.enqueue())
    const isChecked = async () =>
      (await list(owner, org)).every(
        ({ lastCheckedAt }) => lastCheckedAt === auth.clock.now().toISOString(),
      )
    await expect.poll(isChecked, { timeout: 10_000 }).toBe(true)
    await run('1h')
    const asked = dns.asked.filter((name) => names.includes(name))
    expect(asked.toSorted()).toEqual(names.toSorted())
  })
})
