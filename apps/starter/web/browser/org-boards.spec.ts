import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  boardApiOf,
  invitedBy,
  newMember,
  newOrganization,
  organizationApiOf,
} from './organization.ts'
import { app } from './running-web-app.ts'
import { newVisitor, signedInVisitor } from './visitor.ts'
import { whenLoaded } from './when-loaded.ts'

const isLive = (page: Page) => page.getByText('Connected to the API, live').waitFor()
const onBoard = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

async function post(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'New notice' }).fill(text)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await onBoard(page, text).waitFor()
}

/** Goes to another organization, as a person does: by the menu in the header. */
async function switchTo(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: `Organizations: ${from}`, exact: true }).click()
  await page.getByRole('link', { name: to, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: to, exact: true }).waitFor()
  await isLive(page)
}

/** Opens a board, and waits until it is live and has asked for what was posted before that. */
async function openBoard(page: Page, slug: string) {
  const caughtUp = page.waitForResponse((answer) => answer.url().includes('listOrgNotices'))
  await page.goto(`${app.web}/orgs/${slug}/board`)
  await whenLoaded(page)
  await Promise.all([isLive(page), caughtUp])
}

/** Two tabs of one browser, each on the board of another organization. */
async function twoTabs() {
  const acme = await newOrganization('Acme')
  const beta = await newOrganization('Beta', acme.owner)
  const visitor = await signedInVisitor(acme.owner)
  const other = await visitor.context.newPage()
  await openBoard(visitor.page, acme.slug)
  await openBoard(other, beta.slug)
  return { acme, beta, one: visitor.page, other }
}

async function rowsOf({ owner, org }: Awaited<ReturnType<typeof newOrganization>>) {
  const { data } = await boardApiOf(owner).listOrgNotices.call({ params: { org } })
  return data.map(({ text }) => text)
}

describe('two tabs in two organizations', () => {
  it('each write and see the rows of their own only', async () => {
    const { acme, beta, one, other } = await twoTabs()
    await post(one, 'For Acme')
    await post(other, 'For Beta')
    expect([await rowsOf(acme), await rowsOf(beta)]).toEqual([['For Acme'], ['For Beta']])
    await Promise.all([one.reload(), other.reload()])
    await Promise.all([onBoard(one, 'For Acme').waitFor(), onBoard(other, 'For Beta').waitFor()])
    expect(await onBoard(one, 'For Beta').count()).toBe(0)
    expect(await onBoard(other, 'For Acme').count()).toBe(0)
  })

  it('hear the live events of their own only', async () => {
    const { acme, beta, one, other } = await twoTabs()
    const asked: string[] = []
    other.on('request', (request) => {
      if (request.url().includes('listOrgNotices')) asked.push(request.url())
    })
    const api = boardApiOf(acme.owner)
    await api.createOrgNotice.call({ params: { org: acme.org }, body: { text: 'Acme news' } })
    await onBoard(one, 'Acme news').waitFor()
    // A notice that is heard is announced, and has the list asked for again.
    expect(asked).toEqual([])
    expect(await other.getByText(/^A new notice by/).count()).toBe(0)
    await api.createOrgNotice.call({ params: { org: beta.org }, body: { text: 'Beta news' } })
    await onBoard(other, 'Beta news').waitFor()
    expect(asked).toHaveLength(1)
    expect(await onBoard(other, 'Acme news').count()).toBe(0)
    expect(await onBoard(one, 'Beta news').count()).toBe(0)
  })

  it('do not change each other when one switches', async () => {
    const { acme, beta, one, other } = await twoTabs()
    await switchTo(one, 'Acme', 'Beta')
    expect(new URL(one.url()).pathname).toBe(`/orgs/${beta.slug}/board`)
    await switchTo(other, 'Beta', 'Acme')
    await post(one, 'From the first tab')
    await post(other, 'From the second tab')
    expect([await rowsOf(acme), await rowsOf(beta)]).toEqual([
      ['From the second tab'],
      ['From the first tab'],
    ])
    await other.reload()
    await other.getByRole('heading', { level: 1, name: 'Acme', exact: true }).waitFor()
  })
})

describe('an invitation into an organization', () => {
  it('is accepted by its link, after signing in', async () => {
    const { owner, org, slug } = await newOrganization('Acme')
    const admin = await signedInVisitor(owner)
    const guest = await app.api.createUser()
    await admin.open(`/orgs/${slug}/invitations`)
    await admin.fill('Email', guest.email)
    await admin.click('Invite')
    await admin.see(`We sent an invitation to ${guest.email}.`)
    await admin.page.getByRole('listitem').filter({ hasText: guest.email }).waitFor()
    await admin.click('Invite')
    await admin.see('Enter a valid email address, and choose a role.')
    await admin.fill('Email', guest.email)
    await admin.click('Invite')
    await admin.see('This address is already invited.')
    await admin.click(`Cancel invitation ${guest.email}`)
    await admin.click('Yes, cancel it')
    await admin.see('No invitation is pending.')

    const link = await invitedBy(owner, org, guest.email)
    const { page, open, fill, click, see } = await newVisitor()
    const answer = await open(link)
    expect(answer?.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': expect.stringContaining('no-store'),
    })
    await see('Sign in to accept the invitation')
    await see('is invited to Acme, with these roles: Member.')
    await page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await whenLoaded(page)
    await fill('Email', guest.email)
    await fill('Password', guest.password)
    await click('Sign in')
    await see(`You are signed in as ${guest.email}.`)
    await click('Join')
    await page.waitForURL(`${app.web}/orgs/${slug}/board`)
    await post(page, 'I am in')
    // The menu in the header knows the organization.
    await page.getByRole('button', { name: 'Organizations: Acme', exact: true }).waitFor()
  })
})

it('a removed member’s open page is refused within a second', async () => {
  const { owner, org, slug } = await newOrganization('Acme')
  const member = await newMember(owner, org)
  const { page, open } = await signedInVisitor(member)
  await open(`/orgs/${slug}/board`)
  await isLive(page)
  await post(page, 'Of Acme alone')
  const params = { org, userId: member.userId }
  await organizationApiOf(owner).removeOrganizationMember.call({ params })
  const refused = page.getByRole('heading', { level: 1, name: 'This board is closed to you' })
  await refused.waitFor({ timeout: 1000 })
  expect(await page.getByText('Of Acme alone').count()).toBe(0)
  expect(await page.getByRole('textbox').count()).toBe(0)
  const answer = await open(`/orgs/${slug}/board`)
  expect(answer?.status()).toBe(404)
})
