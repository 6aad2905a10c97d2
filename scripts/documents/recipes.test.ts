import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createAuthApi } from '../../packages/auth/src/index.ts'
import { createAuthLifecycle } from '../../packages/auth/src/lifecycle.ts'
import { createAuthRouter } from '../../packages/auth/src/server.ts'
import { startTestAuth, type TestUser } from '../../packages/auth/src/testing.ts'
import { nextMigration } from '../../packages/cli/src/generate/next-migration.ts'
import { defineServer } from '../../packages/core/src/index.ts'
import { createMailLifecycle } from '../../packages/notification/src/index.ts'
import { organizations } from '../../packages/organizations/src/contract.ts'
import { apiIn, organizationClient } from '../../packages/organizations/src/index.ts'
import { type LaidPage, layPage } from './lay-page.ts'

// The recipes with code, all on one server.

const names = ['upload', 'webhook', 'mail', 'pagination', 'search', 'cron', 'team-roles'] as const
const laid = Object.fromEntries(
  names.map((name) => [name, layPage(`docs/recipes/${name}.md`)]),
) as Record<(typeof names)[number], LaidPage>

const folder = mkdtempSync(join(tmpdir(), 'svc-recipes-'))
const schemas = await Promise.all(Object.values(laid).map((page) => page.load('schema.ts')))
const schema = Object.assign({}, ...schemas)
// What `svc generate` would write for them.
const migration = await nextMigration({ schema, directory: folder })
if (!migration) throw new Error('The recipes have no tables.')
mkdirSync(dirname(migration.file), { recursive: true })
writeFileSync(migration.file, migration.sql)

const load = async (page: keyof typeof laid, file: string) => laid[page].load(file)
const { uploadPhoto, getPhoto, photoEnv } = await load('upload', 'photos.ts')
const { stripeWebhook, stripeEnv } = await load('webhook', 'stripe-webhook.ts')
const { placeOrder } = await load('mail', 'orders.ts')
const { orderConfirmed } = await load('mail', 'mails.ts')
const { listArticles } = await load('pagination', 'articles.ts')
const { searchPosts } = await load('search', 'posts.ts')
const { addTeamInvoice, listTeamInvoices } = await load('team-roles', 'invoices.ts')
const { organizationsOfApp } = await load('team-roles', 'server.ts')
const jobs = [await load('webhook', 'jobs.ts'), await load('cron', 'jobs.ts')]

const routes = {
  uploadPhoto,
  getPhoto,
  stripeWebhook,
  placeOrder,
  listArticles,
  searchPosts,
  addTeamInvoice,
  listTeamInvoices,
}
const stripeSecret = 'whsec_of-the-tests'
const auth = await startTestAuth({
  definition: defineServer()
    .env(photoEnv)
    .env(stripeEnv)
    .lifecycle(createAuthLifecycle({ capabilities: [organizationsOfApp] }))
    .lifecycle(createMailLifecycle([orderConfirmed]))
    .database({ schema, migrations: pathToFileURL(`${folder}/`) })
    .routes(createAuthRouter({ routes, contracts: [organizations] }))
    .jobs(Object.assign({}, ...jobs.map(({ jobRouter }) => jobRouter))),
  env: { PHOTO_FOLDER: folder, STRIPE_WEBHOOK_SECRET: stripeSecret },
})
afterAll(async () => {
  await auth.stop()
  for (const page of Object.values(laid)) page.remove()
  rmSync(folder, { recursive: true })
})

const { db } = auth.auth
const user = await auth.signedInUser()
// oxlint-disable-next-line typescript/no-explicit-any -- the types of the pages are checked with their examples
const api: any = auth.api({ sign: auth.signerOf(user.key) })

describe('the recipe of an upload', () => {
  const png = Buffer.from('89504e470d0a1a0a0102030405', 'hex')

  function form(bytes: Buffer) {
    const body = new FormData()
    body.append('title', 'Our cat')
    body.append('photo', new File([new Uint8Array(bytes)], '../../cat.png', { type: 'image/png' }))
    return body
  }

  it('keeps a photo, and shows it to its owner alone', async () => {
    const { id } = await api.uploadPhoto.call({ body: form(png) })
    const fetchAs = (one: TestUser) => auth.signedFetch(one.key)(`${auth.url}/photos/${id}`)
    const answer = await fetchAs(user)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png)
    expect((await fetchAs(await auth.signedInUser())).status).toBe(404)
  })

  it('refuses a file that only says it is a photo', async () => {
    const sent = await api.uploadPhoto.try({ body: form(Buffer.from('<script>')) })
    expect(sent.error).toMatchObject({ name: 'UnsupportedMediaTypeError' })
  })
})

describe('the recipe of a webhook', () => {
  function deliver(event: object, { secret = stripeSecret, ageSeconds = 0 } = {}) {
    const body = JSON.stringify(event)
    const timestamp = Math.floor(auth.clock.now().getTime() / 1000) - ageSeconds
    const hash = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': `t=${timestamp},v1=${'0'.repeat(64)},v1=${hash},v0=1234`,
    }
    return auth.fetch('/webhooks/stripe', { method: 'POST', headers, body })
  }
  const paid = (id: string) => ({
    id,
    type: 'checkout.session.completed',
    data: { object: { id: `cs_${id}` } },
  })
  const timesPaid = (id: string) =>
    auth.logged.filter(({ msg, sessionId }) => msg === 'paid' && sessionId === `cs_${id}`).length

  it('starts one job for an event, however often it comes', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => deliver(paid('evt_1'))))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
    await expect.poll(() => timesPaid('evt_1'), { timeout: 10_000 }).toBe(1)
    const { rows } = await db.execute('select id from stripe_events')
    expect(rows).toEqual([{ id: 'evt_1' }])
  })

  it('refuses what Stripe has not signed, or long ago', async () => {
    expect((await deliver(paid('evt_2'), { secret: 'whsec_another' })).status).toBe(401)
    expect((await deliver(paid('evt_2'), { ageSeconds: 301 })).status).toBe(401)
    expect((await deliver(paid('evt_2'))).status).toBe(204)
  })
})

describe('the recipe of a mail', () => {
  it('mails the order to its customer', async () => {
    const order = () => api.placeOrder.call({ body: { items: ['Tea', 'Milk'] } })
    const { subject, text } = await auth.sentBy(order, user.email, 'order-confirmed')
    expect(subject).toMatch(/^We have your order /)
    expect(text).toContain('Milk')
  })
})

describe('the recipe of pagination', () => {
  it('goes through all articles once, also those of one moment, while others are added', async () => {
    const { articles } = schema
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
    const titled = (title: string, minute: number) => ({ title, createdAt: at(minute) })
    await db
      .insert(articles)
      .values(Array.from({ length: 7 }, (_, place) => titled(`${place}`, place < 4 ? 0 : 1)))
    const first = await api.listArticles.call({ query: { limit: 3 } })
    await db.insert(articles).values(titled('new', 2))
    const second = await api.listArticles.call({ query: { limit: 3, after: first.next } })
    const third = await api.listArticles.call({ query: { limit: 3, after: second.next } })
    expect(third.next).toBeUndefined()
    const seen: string[] = [first, second, third].flatMap(({ items }) =>
      items.map(({ title }: { title: string }) => title),
    )
    expect(seen.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(seen.slice(0, 3).toSorted()).toEqual(['4', '5', '6'])
  })
})

describe('the recipe of a search', () => {
  it('finds word forms, takes what users type, and reads the index', async () => {
    const { posts } = schema
    await db.insert(posts).values([
      { title: 'How I run in winter', body: 'Slowly.' },
      { title: 'Shoes', body: 'I am running in these. Running shoes!' },
      { title: 'Bread', body: 'Flour and water.' },
    ])
    const find = async (q: string) => {
      const { found } = await api.searchPosts.call({ query: { q } })
      return found.map(({ title }: { title: string }) => title)
    }
    expect((await find('running')).toSorted()).toEqual(['How I run in winter', 'Shoes'])
    expect(await find('running -shoes')).toEqual(['How I run in winter'])
    expect(await find('"flour and water"')).toEqual(['Bread'])
    expect(await find(`it's ) & ! " (`)).toEqual([])

    const plan = await db.transaction(async (tx) => {
      await tx.execute('set local enable_seqscan = off')
      return tx.execute(
        `explain select id from posts where to_tsvector('english', title || ' ' || body) @@ websearch_to_tsquery('english', 'bread')`,
      )
    })
    expect(JSON.stringify(plan.rows)).toContain('posts_words')
  })
})

describe('the recipe of roles per team', () => {
  const inApp = (one: TestUser) =>
    createAuthApi({
      baseUrl: auth.url,
      clients: [organizationClient],
      sign: auth.signerOf(one.key),
    })

  it('shows the invoices of a team to its members, and lets its clerks alone add one', async () => {
    const owner = await auth.signedInUser()
    const { organizationId: org } = await inApp(owner).createOrganization.call({
      body: { name: 'Acme' },
    })
    const acme = apiIn(inApp(owner), org)
    const role = { name: 'clerk', displayName: 'Clerk', permissions: ['invoice:write'] }
    await acme.createOrganizationRole.call({ body: role })
    const { teamId } = await acme.createTeam.call({ body: { name: 'Sales' } })
    async function joined(roles?: string[]) {
      const one = await auth.signedInUser()
      const invite = () => acme.inviteToOrganization.call({ body: { email: one.email } })
      const { text } = await auth.sentBy(invite, one.email, 'organizations.invitation')
      const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
      await inApp(one).acceptOrganizationInvitation.call({ body: { token } })
      if (!roles) return one
      const body = { userId: one.userId, roles }
      await acme.addTeamMember.call({ params: { teamId }, body })
      return one
    }
    const [clerk, reader, outside] = [await joined(['clerk']), await joined([]), await joined()]
    const path = `${auth.url}/orgs/${org}/teams/${teamId}/invoices`
    const ask = (one: TestUser, method = 'GET') =>
      auth.signedFetch(one.key)(path, {
        method,
        ...(method === 'POST' && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ cents: 500 }),
        }),
      })
    const statuses = (method: string) =>
      Promise.all([clerk, reader, outside].map(async (one) => (await ask(one, method)).status))
    expect(await statuses('POST')).toEqual([204, 403, 404])
    expect(await statuses('GET')).toEqual([200, 200, 404])
    expect(await (await ask(reader)).json()).toEqual({
      invoices: [{ id: expect.any(String), cents: 500 }],
    })
  })
})

describe('the recipe of a nightly job', () => {
  it('deletes drafts that were not changed for 30 days', async () => {
    const { drafts } = schema
    await db.insert(drafts).values({ text: 'old', changedAt: auth.clock.now() })
    auth.clock.advance('2d')
    await db.insert(drafts).values({ text: 'new', changedAt: auth.clock.now() })
    auth.clock.advance('29d')
    await auth.runScheduled('delete-old-drafts')
    expect(await db.select({ text: drafts.text }).from(drafts)).toEqual([{ text: 'new' }])
  })
})
