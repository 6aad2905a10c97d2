import { ConflictError, ForbiddenError, ValidationError } from '@svc/core/client'
import { AccountProvider, english } from '@svc/web/account'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { prerender } from 'react-dom/static'
import { describe, expect, it } from 'vitest'
import { MemberNotFoundError, OrganizationNotFoundError } from '../membership/errors.ts'
import type { Details, Member } from './console-api.ts'
import { readListQuery, searchInput } from './list/list-query.ts'
import { ListView } from './list/list-view.tsx'
import { OfPersonView } from './list/of-person.tsx'
import { OrganizationView } from './organization/organization-view.tsx'
import { refusalWords } from './organization/use-organization-acts.ts'

const renderedAt = Date.UTC(2026, 2, 2)
const organizationId = '0198c1f2-7d1e-7c58-9f0a-3f2f1c7a5b10'
const operator = '0198c1f2-7d1e-7c58-9f0a-3f2f1c7a5b11'

const organization: Details = {
  organizationId,
  name: 'Blue Whale',
  slug: 'blue-whale',
  state: 'open',
  createdAt: new Date(renderedAt - 3 * 86_400_000).toISOString(),
  isClosedByOperator: false,
  memberCount: 22,
  ownerCount: 21,
  invitationCount: 4,
  policies: { requireSecondFactor: false },
}
const strict = {
  ...organization,
  policies: {
    requireSecondFactor: true,
    secondFactorBy: new Date(renderedAt + 86_400_000).toISOString(),
    waysIn: ['passkey', 'acme-sso'],
    maxKeyAgeHours: 1,
    maxIdleHours: 720,
    allowedDomains: ['example.com', 'example.org'],
  },
}
const closed = {
  ...organization,
  state: 'closed' as const,
  closedAt: new Date(renderedAt - 7_200_000).toISOString(),
  purgeAt: new Date(renderedAt + 30 * 86_400_000).toISOString(),
  isClosedByOperator: true,
}
const member = (userId: string, roles: string[], email: string | null): Member => ({
  userId,
  roles,
  email,
  displayName: null,
  joinedAt: organization.createdAt,
})
const owner = member('0198c1f2-7d1e-7c58-9f0a-3f2f1c7a5b12', ['owner'], 'mary@example.com')
const joan = member('0198c1f2-7d1e-7c58-9f0a-3f2f1c7a5b13', ['member', 'clerk'], 'joan@example.com')

const router = { refresh() {}, push() {}, replace() {}, prefetch() {}, back() {}, forward() {} }

/** The page as the server sends it, without scripts. */
async function drawn(page: ReactNode, locale = 'en') {
  const { prelude } = await prerender(
    <AppRouterContext value={router as never}>
      <AccountProvider locale={locale}>
        <Suspense>{page}</Suspense>
      </AccountProvider>
    </AppRouterContext>,
  )
  return new Response(prelude).text()
}

const list = (given: Partial<ComponentProps<typeof ListView>> = {}, locale?: string) =>
  drawn(
    <ListView
      organizations={[organization, closed]}
      next={undefined}
      query={readListQuery({})}
      path="/admin/organizations"
      renderedAt={renderedAt}
      {...given}
    />,
    locale,
  )

const one = (given: Partial<ComponentProps<typeof OrganizationView>> = {}, locale?: string) =>
  drawn(
    <OrganizationView
      organization={organization}
      owners={[owner]}
      members={[owner, joan, member(operator, ['member'], 'me@example.com')]}
      next="further"
      isFirst
      list="/admin/organizations"
      may={{ manage: true, readTrail: true }}
      userId={operator}
      renderedAt={renderedAt}
      {...given}
    />,
    locale,
  )

const count = (html: string, text: string) => html.split(text).length - 1

describe('the list of organizations', () => {
  it('leads to each, and says which are closed', async () => {
    const html = await list()
    expect(count(html, `href="/admin/organizations/${organizationId}"`)).toBe(2)
    expect(html).toContain('Blue Whale')
    expect(html).toContain('blue-whale')
    expect(count(html, 'Closed by an operator')).toBe(1)
    expect(count(html, 'svc-badge-tiny')).toBe(1)
    const byOwner = await list({ organizations: [{ ...closed, isClosedByOperator: false }] })
    expect(byOwner).toContain('Closed</span>')
    expect(byOwner).not.toContain('by an operator')
  })

  it('searches without scripts, by what is in the address', async () => {
    const query = readListQuery({ field: 'slug', text: ' blue ', state: 'closed', after: 'x' })
    expect(searchInput(query)).toEqual({ slug: 'blue', state: 'closed', after: 'x' })
    const html = await list({ query, next: 'y' })
    expect(html).toMatch(/<form role="search" [^>]*action="\/admin\/organizations"/)
    expect(html).toContain('value="blue"')
    expect(html).toContain('href="/admin/organizations?field=slug&amp;text=blue&amp;state=closed"')
    expect(html).toContain('state=closed&amp;after=y"')
    // What it is asked for besides the text can be seen.
    expect(html).toContain('<details open=""')
    const further = await list({ query: readListQuery({ after: 'x' }) })
    expect(further).not.toContain('<details open=""')
    expect(further).toMatch(/href="\/admin\/organizations"[^>]*>← First page/)
  })

  it('asks the API for no user whose id is none, and for nothing that is too long', () => {
    expect(searchInput(readListQuery({ field: 'user', text: 'ada' }))).toBeNull()
    expect(searchInput(readListQuery({ field: 'user', text: operator }))).toEqual({
      userId: operator,
    })
    const long = 'x'.repeat(5000)
    expect(searchInput(readListQuery({ text: long, after: long }))).toEqual({
      name: 'x'.repeat(100),
      after: 'x'.repeat(2000),
    })
    expect(searchInput(readListQuery({ field: 'slug', text: long }))).toEqual({
      slug: 'x'.repeat(48),
    })
    expect(readListQuery({ field: 'constructor', state: 'x', text: ['a', 'b'] })).toEqual({
      field: 'name',
      text: '',
      after: '',
    })
  })

  it('says why it is empty', async () => {
    const none = (query: Record<string, string>) =>
      list({ organizations: [], query: readListQuery(query) })
    expect(await none({})).toContain('There are no organizations here.')
    expect(await none({ text: 'x' })).toContain('No organization begins like that.')
    expect(await none({ field: 'user', text: 'x' })).toContain('This user is in no organization.')
  })
})

describe('one organization', () => {
  it('has its state, counts, owners and members, each with a way to the user', async () => {
    const html = await one()
    for (const text of ['Open', '22', '21', 'Only the first 1 owners are listed.']) {
      expect(html).toContain(text)
    }
    expect(html).toMatch(/Pending invitations<\/dt><dd[^>]*><bdi>4</)
    for (const text of ['has no owner', 'no members here', 'First page']) {
      expect(html).not.toContain(text)
    }
    const all = await one({ organization: { ...organization, ownerCount: 1 }, isFirst: false })
    expect(all).not.toContain('owners are listed')
    expect(all).toMatch(
      new RegExp(`href="/admin/organizations/${organizationId}"[^>]*>← First page`),
    )
    expect(await one({ members: [] })).toContain('There are no members here.')
    expect(count(html, `href="/admin/people/${owner.userId}"`)).toBe(2)
    expect(html).toContain('member, clerk')
    expect(html).toContain(`href="/admin/audit?target=${organizationId}"`)
    expect(html).toContain(`href="/admin/organizations/${organizationId}?after=further"`)
  })

  it('shows ids alone to operators who may not see users', async () => {
    const html = await one({ owners: [], members: [member(joan.userId, ['member'], null)] })
    expect(html).toContain(joan.userId)
    expect(html).not.toContain('href="/admin/people')
    expect(html).toContain('This organization has no owner.')
  })

  it('can be closed, and members but for owners and the operator be made owners', async () => {
    const html = await one()
    expect(html).toContain('Close the organization')
    expect(count(html, 'Make an owner')).toBe(1)
    expect(html).toContain('joan@example.com</span></button>')
  })

  it('offers nothing to operators who may only look', async () => {
    const html = await one({ may: { manage: false, readTrail: false } })
    expect(html).not.toContain('<button')
    expect(html).not.toContain('/admin/audit')
  })

  it('that is closed can only be opened again', async () => {
    const html = await one({ organization: closed })
    expect(html).toContain('Closed by an operator')
    expect(html).toContain('1 April 2026')
    expect(html).toContain('Open it again')
    expect(html).not.toContain('Close the organization')
    expect(html).not.toContain('Make an owner')
  })

  it('has what it asks of its members, which an operator can end', async () => {
    const html = await one({ organization: strict })
    for (const text of ['3 March 2026', 'passkey, acme-sso', '1 hour<', '720 hours']) {
      expect(html).toContain(text)
    }
    expect(html).toContain('example.com, example.org')
    expect(html).toContain('End all policies')
    const past = { requireSecondFactor: true, secondFactorBy: organization.createdAt }
    const longAgo = await one({ organization: { ...organization, policies: past } })
    expect(longAgo).toContain('required<')
    expect(longAgo).not.toContain('earlier members')
    const idle = { requireSecondFactor: false, maxIdleHours: 720 }
    const used = await one({ organization: { ...organization, policies: idle } })
    expect(used).toContain('End all policies')
    expect(used).not.toContain('Second factor')
    const asksNothing = await one()
    expect(asksNothing).toContain('This organization asks nothing of its members.')
    expect(asksNothing).not.toContain('End all policies')
  })

  it('is in Korean where the account pages are', async () => {
    const html = `${await list({}, 'ko')}${await one({ organization: strict }, 'ko')}`
    for (const text of [
      '패스키',
      '720시간',
      '조직',
      '운영자가 닫음',
      '소유자로 지정',
      '조직 닫기',
      '감사 기록',
    ]) {
      expect(html).toContain(text)
    }
  })
})

describe('the organizations of a user', () => {
  const ofPerson = (
    given: Pick<ComponentProps<typeof OfPersonView>, 'organizations' | 'hasMore'>,
  ) =>
    drawn(
      <OfPersonView
        {...given}
        userId={operator}
        path="/admin/organizations"
        renderedAt={renderedAt}
      />,
    )

  it('lead to each, and to the rest of them if there are more', async () => {
    const html = await ofPerson({ organizations: [organization], hasMore: true })
    expect(html).toContain(`href="/admin/organizations/${organizationId}"`)
    const rest = `href="/admin/organizations?field=user&amp;text=${operator}"`
    expect(html).toContain(rest)
    expect(html).not.toContain('in no organization')
    const none = await ofPerson({ organizations: [], hasMore: false })
    expect(none).toContain('This user is in no organization.')
    expect(none).not.toContain(rest)
  })
})

it('a refusal says what an operator can do', () => {
  const said = (error: Error) => refusalWords(english, english, error)
  expect(said(new ConflictError())).toContain('has changed meanwhile')
  expect(said(new OrganizationNotFoundError())).toContain('no longer exists')
  expect(said(new MemberNotFoundError())).toContain('no longer a member')
  expect(said(new ValidationError({ fields: [] }))).toBe('Say why you do this.')
  expect(said(new ForbiddenError())).toContain('Reload it')
})
