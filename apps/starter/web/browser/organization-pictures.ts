import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import type { Picture } from './picture.ts'
import type { TestWebApp } from './test-web-app.ts'

export const organizationPictures: Picture[] = [
  { name: 'organizations', path: '/admin/organizations', isSignedIn: true, until: hasSome },
  { name: 'organization', path: '/admin/organizations', isSignedIn: true, until: opensOne },
]

const policies = {
  waysIn: ['passkey', 'google'],
  maxIdleHours: 72,
  allowedDomains: ['acme.example.com'],
}
const some = [
  { name: 'Globex', days: 220, policies: null },
  { name: 'Initech', days: 150, policies: null },
  { name: 'Acme', days: 40, policies },
]
const withSome = new WeakSet<TestWebApp>()

/** A few organizations, one of which has members and is closed to some by its policies. */
async function hasSome(page: Page, app: TestWebApp) {
  if (!withSome.has(app)) {
    withSome.add(app)
    for (const each of some) await addOne(app, each)
    await page.reload()
  }
  await page.getByRole('link', { name: 'Globex' }).waitFor()
}

async function opensOne(page: Page, app: TestWebApp) {
  await hasSome(page, app)
  await page.getByRole('link', { name: 'Acme' }).click()
  await page.getByRole('heading', { name: 'Help this organization' }).waitFor()
}

async function addOne({ api }: TestWebApp, { name, days, policies: asked }: (typeof some)[number]) {
  const id = randomUUID()
  const slug = name.toLowerCase()
  const at = new Date(Date.now() - days * 86_400_000)
  const { db } = api.auth
  await db.execute(sql`
    insert into organizations.organizations (organization_id, name, slug, state, created_at, policies)
    values (${id}, ${name}, ${slug}, 'open', ${at.toISOString()}, ${asked && JSON.stringify(asked)}::jsonb)`)
  for (const [person, role] of Object.entries({ joan: 'owner', tom: 'admin', kim: 'member' })) {
    const { userId } = await api.createUser({ email: `${person}@${slug}.example.com` })
    await db.execute(sql`
      insert into organizations.members (organization_id, user_id, roles, joined_at)
      values (${id}, ${userId}, array[${role}], ${at.toISOString()})`)
  }
}
