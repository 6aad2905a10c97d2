import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestDns } from '../../../../scripts/test-dns.ts'
import { nameOf, startTestOrganizations } from '../test-organizations.ts'
import * as store from './store.ts'
import { domainStepsOf } from './test-domains.ts'

const dns = await startTestDns()
const auth = await startTestOrganizations(
  {},
  { dnsResolver: dns.resolver, publicMailDomains: ['Freemail.example'], maxMembers: 5 },
)
const other = await auth.secondInstance()
afterAll(async () => {
  await auth.stop()
  dns.stop()
})
const steps = domainStepsOf(auth, dns)
const { apiOf, created, joined, newDomain, userAt } = steps
const { waiting, add, added, proved, verify, remove, list, join, trail } = steps
const { db } = auth.auth

function advance(by: string) {
  auth.clock.advance(by)
  other.clock.set(auth.clock.now())
}

type User = Awaited<ReturnType<typeof userAt>>

interface Field {
  path: string
  message: string
}

const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => [],
    ({ name, fields }: { name: string; fields?: Field[] }) =>
      fields ?? [{ path: '', message: name }],
  )

/** A role of the organization that may manage domains, and what is named besides. */
async function keeper(owner: User, org: string, permissions: string[] = []) {
  const role = {
    name: 'keeper',
    displayName: 'Keeper',
    permissions: ['domain:manage', ...permissions],
  }
  await apiOf(owner).createOrganizationRole.call({ params: { org }, body: role })
  return joined(owner, org, ['keeper'])
}

describe('addOrganizationDomain', () => {
  it('returns the record that proves the domain, and lists it in the same way', async () => {
    const { owner, org } = await created()
    const made = await add(owner, org, 'Bücher.EXAMPLE ')
    expect(made).toEqual({
      domain: 'xn--bcher-kva.example',
      roles: ['member'],
      record: {
        name: '_svc-challenge.xn--bcher-kva.example',
        value: expect.stringMatching(/^[\w-]{43}$/),
      },
      addedAt: auth.clock.now().toISOString(),
    })
    expect(await list(owner, org)).toEqual([{ ...made, addedByName: owner.email }])
    const elsewhere = await created()
    const theirs = await add(elsewhere.owner, elsewhere.org, 'bücher.example')
    expect(theirs.record.name).toBe(made.record.name)
    expect(theirs.record.value).not.toBe(made.record.value)
  })

  it('refuses what is no domain of one organization, and says why', async () => {
    const { owner, org } = await created()
    const whyNot = async (domain: string) => (await fieldsOf(add(owner, org, domain)))[0]
    const form = { path: 'body.domain', message: 'Enter a domain such as acme.example.' }
    for (const bad of [
      '192.0.2.1',
      '[2001:db8::1]',
      'https://acme.example',
      'acme.example/path',
      'ada@acme.example',
      '*.acme.example',
      '_svc-challenge.acme.example',
      'acme..example',
      'acme.example.',
      '-acme.example',
      'acme.123',
      ' ',
    ]) {
      expect(await whyNot(bad), bad).toEqual(form)
    }
    const whole = 'Enter the whole domain, such as acme.example.'
    expect(await whyNot('localhost')).toMatchObject({ message: whole })
    const label = 'a'.repeat(59)
    const longest = `${label}.${label}.${label}.${'a'.repeat(50)}.example`
    expect(longest).toHaveLength(238)
    expect(await whyNot(`a${longest}`)).toMatchObject({
      message: 'Enter a domain of at most 238 characters.',
    })
    expect(await nameOf(add(owner, org, longest))).toBe('done')
    for (const everyone of ['gmail.com', 'GMail.com', 'naver.com', 'freemail.example']) {
      expect((await whyNot(everyone))?.message, everyone).toMatch(/^Everyone can get an address at/)
    }
  })

  it('needs the permission, which owners and admins have, and a fresh proof', async () => {
    const { owner, org } = await created()
    const [admin, member] = [await joined(owner, org, ['admin']), await joined(owner, org)]
    const of = (by: User) => apiOf(by).addOrganizationDomain
    const given = () => ({ params: { org }, body: { domain: newDomain() } })
    expect(await nameOf(of(member).call(given()))).toBe('ForbiddenError')
    expect(await nameOf(list(member, org))).toBe('ForbiddenError')
    expect(await nameOf(of(admin).call(given()))).toBe('done')
    advance('11m')
    expect(await nameOf(of(owner).call(given()))).toBe('RecentAuthenticationRequiredError')
  })

  it('gives no roles that permit more than the caller’s own, and never makes owners', async () => {
    const { owner, org } = await created()
    const by = await keeper(owner, org)
    const none = { name: 'guest', displayName: 'Guest', permissions: [] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: none })
    expect(await nameOf(add(by, org, newDomain()))).toBe('MoreThanOwnRoleError')
    expect(await nameOf(add(by, org, newDomain(), ['admin']))).toBe('MoreThanOwnRoleError')
    expect(await nameOf(add(by, org, newDomain(), ['guest']))).toBe('done')
    expect(await nameOf(add(owner, org, newDomain(), ['nothing']))).toBe(
      'OrganizationRoleNotFoundError',
    )
    expect(await fieldsOf(add(owner, org, newDomain(), ['member', 'owner']))).toEqual([
      { path: 'body.roles', message: 'A domain can’t make owners. Choose another role.' },
    ])
  })

  it('adds a domain once, and at most 20', async () => {
    const { owner, org } = await created()
    const twice = newDomain()
    await add(owner, org, twice)
    expect(await nameOf(add(owner, org, twice.toUpperCase()))).toBe('OrganizationDomainExistsError')
    for (let times = 1; times < 20; times += 1) await add(owner, org, newDomain())
    expect(await nameOf(add(owner, org, newDomain()))).toBe('OrganizationFullError')
    const names = (await list(owner, org)).map(({ domain }) => domain)
    expect(names).toHaveLength(20)
    expect(names).toEqual(names.toSorted())
    await remove(owner, org, twice)
    expect(await nameOf(add(owner, org, newDomain()))).toBe('done')
  })
})

describe('verifyOrganizationDomain', () => {
  it('proves a domain whose record is there, also among others and in parts', async () => {
    const { owner, org } = await created()
    const { domain, record, ...made } = await added(owner, org)
    dns.answers.set(record.name, ['x'.repeat(300), ` ${record.value} `])
    const at = auth.clock.now().toISOString()
    const now = { ...made, domain, record, verifiedAt: at, lastCheckedAt: at }
    expect(await verify(owner, org, domain)).toEqual(now)
    expect(dns.asked).toContain(`_svc-challenge.${domain}`)
    expect(await list(owner, org)).toEqual([{ ...now, addedByName: owner.email }])
    advance('1h')
    const again = { ...now, lastCheckedAt: auth.clock.now().toISOString() }
    expect(await verify(owner, org, domain)).toEqual(again)
  })

  it('says what was looked up and what was found where the record is not', async () => {
    const { owner, org } = await created()
    const { domain, record } = await add(owner, org, newDomain())
    const lookedUp = record.name
    const failed = () =>
      verify(owner, org, domain).catch(({ name, failure, lookedUp: at, found }) => {
        expect([name, at]).toEqual(['OrganizationDomainUnprovedError', lookedUp])
        return [failure, found]
      })
    expect(await failed()).toEqual(['missing', []])
    dns.answers.set(lookedUp, [])
    expect(await failed()).toEqual(['missing', []])
    const long = 'v'.repeat(150)
    const texts = ['another\u0007 value', long, `x${record.value}`, 'c', 'd', 'e']
    dns.answers.set(lookedUp, texts)
    const shown = ['another value', 'v'.repeat(100), `x${record.value}`, 'c', 'd']
    const [failure, found] = (await failed()) as [string, string[]]
    expect([failure, found.toSorted()]).toEqual(['different', shown.toSorted()])
    dns.answers.set(lookedUp, 'SERVFAIL')
    expect(await failed()).toEqual(['no-answer', []])
    dns.answers.set(lookedUp, 'silence')
    expect(await failed()).toEqual(['no-answer', []])
    expect(await list(owner, org)).not.toContainEqual(
      expect.objectContaining({ verifiedAt: expect.anything() }),
    )
  })

  it('proves nothing by the record of another organization or of another domain', async () => {
    const { owner, org, domain, record } = await proved()
    const elsewhere = await created()
    await add(elsewhere.owner, elsewhere.org, domain)
    const theirs = verify(elsewhere.owner, elsewhere.org, domain)
    expect(await nameOf(theirs)).toBe('OrganizationDomainUnprovedError')
    const sub = await add(owner, org, `sub.${domain}`)
    expect(await nameOf(verify(owner, org, sub.domain))).toBe('OrganizationDomainUnprovedError')
    dns.answers.set(sub.record.name, [record.value])
    expect(await nameOf(verify(owner, org, sub.domain))).toBe('OrganizationDomainUnprovedError')
    expect(await nameOf(verify(owner, org, newDomain()))).toBe('OrganizationDomainNotFoundError')
  })

  it('proves a domain for only one of two organizations that try at the same time', async () => {
    const domain = newDomain()
    const [one, two] = [await created('One'), await created('Two')]
    const both = [one, two]
    for (const { owner, org } of both) await added(owner, org, domain)
    const first = await db.transaction(async (tx) => {
      await store.lockDomain(tx, domain)
      const calls = both.map(({ owner, org }, at) =>
        nameOf(verify(owner, org, domain, at ? other : auth.server)),
      )
      // Both have found their records by then.
      await waiting(2)
      return { calls }
    })
    const answers = await Promise.all(first.calls)
    expect(answers.toSorted()).toEqual(['OrganizationDomainTakenError', 'done'])
    await Promise.all(
      Array.from({ length: 16 }, (_, at) => {
        const { owner, org } = both[at % 2] ?? one
        return nameOf(verify(owner, org, domain, at % 4 < 2 ? other : auth.server))
      }),
    )
    const { rows } = await db.execute(
      sql`select organization_id from organizations.domains where domain = ${domain} and verified_at is not null`,
    )
    expect(rows).toHaveLength(1)
    const winner = both[answers.indexOf('done')] ?? one
    await remove(winner.owner, winner.org, domain)
    const loser = both[1 - answers.indexOf('done')] ?? one
    expect(await nameOf(verify(loser.owner, loser.org, domain))).toBe('done')
  })

  it('ignores a record whose domain was removed and added again during the look-up', async () => {
    const { owner, org } = await created()
    const { domain } = await added(owner, org)
    const behind = await db.transaction(async (tx) => {
      await store.lockDomain(tx, domain)
      const verified = nameOf(verify(owner, org, domain))
      await waiting(1)
      await tx.execute(
        sql`update organizations.domains set challenge = 'another' where domain = ${domain}`,
      )
      return { verified }
    })
    expect(await behind.verified).toBe('OrganizationDomainNotFoundError')
    expect(await list(owner, org)).not.toContainEqual(
      expect.objectContaining({ verifiedAt: expect.anything() }),
    )
  })

  it('and its removal are refused to members who may do less than those who would join', async () => {
    const { owner, org } = await created()
    const by = await keeper(owner, org)
    const { domain } = await added(owner, org, newDomain(), ['admin'])
    expect(await nameOf(verify(by, org, domain))).toBe('MoreThanOwnRoleError')
    expect(await nameOf(remove(by, org, domain))).toBe('MoreThanOwnRoleError')
    expect(await list(owner, org)).toMatchObject([{ domain, roles: ['admin'] }])
    expect((await list(owner, org))[0]).not.toHaveProperty('verifiedAt')
    const plain = await joined(owner, org)
    expect(await nameOf(verify(plain, org, domain))).toBe('ForbiddenError')
    expect(await nameOf(remove(plain, org, domain))).toBe('ForbiddenError')
    expect(await nameOf(verify(owner, org, domain))).toBe('done')
    expect(await nameOf(remove(owner, org, domain))).toBe('done')
    expect(await nameOf(remove(owner, org, domain))).toBe('OrganizationDomainNotFoundError')
  })
})

describe('what is written of domains', () => {
  it('is mailed to the owners when it is proved, with the roles that it gives', async () => {
    const { owner, org } = await created('Acme')
    const admin = await joined(owner, org, ['admin'])
    const { domain } = await added(admin, org, newDomain(), ['admin'])
    const prove = () => verify(admin, org, domain)
    const mail = await auth.sentBy(prove, owner.email, 'organizations.domain-proved')
    // No mail program makes a link of what a user wrote.
    const readable = (words = '') => words.replaceAll('\u2060', '')
    expect(readable(mail.subject)).toBe(`People at ${domain} can join Acme`)
    expect(readable(mail.text)).toContain(`${admin.email} has proved this domain.`)
    expect(readable(mail.text)).toContain('Their roles: admin')
    // Where the owner can remove it.
    expect(mail.text).toMatch(/\/orgs\/[\w-]+\/domains$/m)
  })

  it('is in the trail that members read, with the domain and its roles', async () => {
    const { owner, org, domain } = await proved()
    await remove(owner, org, domain)
    for (const act of ['domain_added', 'domain_verified', 'domain_removed']) {
      expect(await trail(owner, org, `organization.${act}`), act).toMatchObject([
        { actor: owner.userId, target: domain, details: { domain, roles: ['member'] } },
      ])
    }
  })

  it('names no account that is deleted', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    const { domain } = await add(admin, org, newDomain())
    const adder = async () =>
      (
        await db.execute(
          sql`select added_by from organizations.domains where organization_id = ${org}`,
        )
      ).rows
    expect(await adder()).toEqual([{ added_by: admin.userId }])
    await auth.purge(admin)
    other.clock.set(auth.clock.now())
    expect(await adder()).toEqual([{ added_by: null }])
    const key = await auth.signIn(owner)
    expect(await list({ key }, org)).toMatchObject([{ domain }])
    expect((await list({ key }, org))[0]).not.toHaveProperty('addedByName')
  })
})

describe('listOrganizationDomains', () => {
  it('names the member who has added a domain, and not one who has left', async () => {
    const { owner, org } = await created()
    const admin = await joined(owner, org, ['admin'])
    await add(admin, org, newDomain())
    expect(await list(owner, org)).toMatchObject([{ addedByName: admin.email }])
    await apiOf(admin).leaveOrganization.call({ params: { org } })
    expect((await list(owner, org))[0]).not.toHaveProperty('addedByName')
  })
})

describe('a role that is deleted', () => {
  it('is given by no domain any more: its people are plain members, which the deletion needs to permit', async () => {
    const { owner, org } = await created()
    const guest = { name: 'guest', displayName: 'Guest', permissions: [] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: guest })
    const by = await keeper(owner, org, ['role:manage'])
    const { domain } = await added(owner, org, newDomain(), ['guest'])
    const second = await added(owner, org, newDomain(), ['guest', 'admin'])
    await verify(owner, org, domain)
    const drop = (user: User) =>
      nameOf(apiOf(user).deleteOrganizationRole.call({ params: { org, role: 'guest' } }))
    expect(await drop(by)).toBe('MoreThanOwnRoleError')
    expect(await drop(owner)).toBe('done')
    const roles = Object.fromEntries(
      (await list(owner, org)).map((each) => [each.domain, each.roles]),
    )
    expect(roles).toEqual({ [domain]: ['member'], [second.domain]: ['admin'] })
    // Another one of its name gives nothing.
    const greater = { ...guest, permissions: ['invoice:write'] }
    await apiOf(owner).createOrganizationRole.call({ params: { org }, body: greater })
    expect((await join(await userAt(domain), org)).roles).toEqual(['member'])
  })

  it('gives nothing and blocks nothing if an earlier release, which knows no domains, has deleted it', async () => {
    const { owner, org } = await created()
    const greater = { name: 'greater', displayName: 'Greater', permissions: ['invoice:write'] }
    const { createOrganizationRole } = apiOf(owner)
    const make = () => createOrganizationRole.call({ params: { org }, body: greater })
    await make()
    const admin = await joined(owner, org, ['admin'])
    const [alone, beside, later] = [newDomain(), newDomain(), newDomain()]
    await added(owner, org, alone, ['greater'])
    await added(owner, org, beside, ['greater', 'admin'])
    await added(owner, org, later, ['greater'])
    await verify(owner, org, alone)
    const early = await userAt(alone)
    await db.execute(sql`delete from organizations.roles where organization_id = ${org}`)

    const shown = Object.fromEntries(
      (await list(owner, org)).map((each) => [each.domain, each.roles]),
    )
    expect(shown).toEqual({ [alone]: ['member'], [beside]: ['admin'], [later]: ['member'] })
    expect((await join(early, org)).roles).toEqual(['member'])
    expect((await verify(admin, org, beside)).roles).toEqual(['admin'])
    expect(await nameOf(remove(admin, org, beside))).toBe('done')
    await verify(owner, org, later)
    // Another one of its name is not given either, and neither has anyone who joined before.
    await make()
    expect((await join(await userAt(later), org)).roles).toEqual(['member'])
    expect((await join(early, org)).roles).toEqual(['member'])
  })
})
