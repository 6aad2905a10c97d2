import { createAuthApi, createPortableKey } from '@svc/auth'
import { createTestKey } from '@svc/auth/testing'
import { organizationClient } from '@svc/organizations'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { sealSession } from '../../../../scripts/browser/seal-session.ts'
import { agentRequest, asksConsent } from './agent-pictures.ts'
import type { Picture } from './picture.ts'
import { answer } from './sign-in-pictures.ts'
import { sessionSecret, type TestWebApp } from './test-web-app.ts'
import { whenLoaded } from './when-loaded.ts'

const day = 86_400_000
/** So long ago and half a minute, so that a page says the same however long it takes to come. */
const ago = (days: number) => new Date(Date.now() - days * day - 30_000)
const slug = 'hopper'
const invitation = '/invitation/organization'

/** For users with sessions of their own, which they leave behind. */
export const ownOrganizationPictures: Picture[] = [
  ofOlivia('org-list', '/orgs'),
  ofPerson('donald', 'org-list-joinable', '/orgs'),
  ofOlivia('org-board', `/orgs/${slug}/board`),
  ofOlivia('org-members', `/orgs/${slug}/members`, (page) =>
    page.getByRole('button', { name: 'Manage katherine@hopper.example' }).click(),
  ),
  ofOlivia('org-teams', `/orgs/${slug}/teams`),
  ofOlivia('org-invitations', `/orgs/${slug}/invitations`),
  ofOlivia('org-domains', `/orgs/${slug}/domains`),
  ofOlivia('org-roles', `/orgs/${slug}/roles`),
  ofOlivia('org-machines', `/orgs/${slug}/machines`),
  ofOlivia('org-machine', `/orgs/${slug}/machines`, opensMachine),
  ofOlivia('org-audit', `/orgs/${slug}/audit`, (page) => page.getByText('Details').nth(1).click()),
  ofOlivia('org-settings', `/orgs/${slug}/settings`),
  ofOlivia('org-settings-refused', `/orgs/${slug}/settings`, isRefused),
  ofOlivia('consent-owners', '/orgs', (page, app) => asksConsent(page, app)),
  { name: 'org-asked', path: '/icon.svg', inOneLook: true, until: asksForMore, after: leaves },
  { name: 'org-invitation', path: invitation, inOneLook: true, until: isOffered },
  { name: 'org-invitation-over', path: invitation, inOneLook: true },
]

function ofOlivia(name: string, path: string, until?: Picture['until']) {
  return ofPerson('olivia', name, path, until)
}

function ofPerson(
  person: 'olivia' | 'donald',
  name: string,
  path: string,
  until?: Picture['until'],
): Picture {
  const open = async (page: Page, app: TestWebApp) => {
    await becomes(page, app, (await hopperOf(app))[person])
    await page.goto(`${app.web}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await whenLoaded(page)
    await until?.(page, app)
  }
  return { name, path: '/icon.svg', inOneLook: true, until: open, after: leaves }
}

function leaves(page: Page) {
  return page.context().clearCookies()
}

type Hopper = Awaited<ReturnType<typeof makeHopper>>

const made = new WeakMap<TestWebApp, Promise<Hopper>>()

/** One for all looks. */
function hopperOf(app: TestWebApp) {
  const known = made.get(app) ?? makeHopper(app)
  made.set(app, known)
  return known
}

async function makeHopper(app: TestWebApp) {
  const { api, clock } = app
  const olivia = await clock.at(ago(40), () => api.createUser({ email: 'olivia@hopper.example' }))
  const org = await clock.at(ago(40), async () => {
    const of = apiOf(app, await api.signIn(olivia))
    const body = { name: 'Hopper', slug }
    return (await of.createOrganization.call({ body })).organizationId
  })
  const joined = [
    { days: 30, email: 'katherine@hopper.example', roles: ['admin'] },
    { days: 12, email: 'barbara@hopper.example', roles: ['member'] },
    { days: 3, email: 'donald@elsewhere.example', roles: ['member'] },
  ]
  const users: Person[] = []
  for (const { days, email, roles } of joined) {
    const user = await api.createUser({ email })
    users.push(user)
    const { userId } = user
    await api.auth.db.execute(
      sql`insert into organizations.members (organization_id, user_id, roles, joined_at)
        values (${org}::uuid, ${userId}::uuid, ${sql.param(roles)}, ${ago(days).toISOString()})`,
    )
  }
  await clock.at(ago(2), () => work(app, org, olivia))
  // Lists are in the order of time.
  await clock.at(ago(1), () => connect(app, org, olivia))
  await addDomains(app, org)
  return { olivia, donald: users.at(-1) ?? olivia, org }
}

type Person = Awaited<ReturnType<TestWebApp['api']['createUser']>>

const apiOf = ({ api }: TestWebApp, key: Parameters<TestWebApp['api']['signerOf']>[0]) =>
  createAuthApi({ baseUrl: api.url, clients: [organizationClient], sign: api.signerOf(key) })

/** What Olivia has done in it. */
async function work(app: TestWebApp, org: string, olivia: Person) {
  const of = apiOf(app, await app.api.signIn(olivia))
  const params = { org }
  await of.createOrganizationRole.call({
    params,
    body: {
      name: 'hr',
      displayName: 'People team',
      permissions: ['member:invite', 'member:remove'],
    },
  })
  await of.createTeam.call({ params, body: { name: 'Sales', roles: [] } })
  await of.createTeam.call({ params, body: { name: 'Support', roles: ['hr'] } })
  for (const [email, roles] of [
    ['edsger@hopper.example', ['member']],
    ['radia@hopper.example', ['hr', 'member']],
  ] as const) {
    await of.inviteToOrganization.call({ params, body: { email, roles: [...roles] } })
  }
  const body = { name: 'Nightly report', roles: ['member'] }
  const { userId } = await of.createServiceAccount.call({ params, body })
  const { registration } = await createTestKey()
  const named = { ...registration, deviceName: 'CI' }
  await of.createServiceKey.call({ params: { org, userId }, body: named })
}

async function connect(app: TestWebApp, org: string, olivia: Person) {
  const key = await app.api.signIn(olivia)
  const asked = { ...(await agentRequest(app)), decision: 'allow', owner: org }
  await app.api.call('createOAuth2AuthorizationCode', asked, key)
  const { updateOrganizationPolicies } = apiOf(app, key)
  await updateOrganizationPolicies.call({ params: { org }, body: { maxIdleHours: 720 } })
}

/** A domain in each state, and one of another organization. */
async function addDomains(app: TestWebApp, org: string) {
  const grace = await app.api.createUser({ email: 'grace@elsewhere.example' })
  const elsewhere = await app.clock.at(ago(40), async () => {
    const of = apiOf(app, await app.api.signIn(grace))
    const body = { name: 'Elsewhere', slug: 'elsewhere' }
    return (await of.createOrganization.call({ body })).organizationId
  })

  for (const { of = org, domain, added, proved, failing } of [
    { domain: 'hopper.example', added: 35, proved: 34 },
    { domain: 'hopper-labs.example', added: 20, proved: 20, failing: 1 },
    { domain: 'hopper-academy.example', added: 1 },
    { of: elsewhere, domain: 'elsewhere.example', added: 9, proved: 9 },
  ]) {
    const at = (days: number | undefined) => (days === undefined ? null : ago(days).toISOString())
    const challenge = `${domain.replaceAll(/\W/g, '-')}-Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5AioTq`
    await app.api.auth.db.execute(
      sql`insert into organizations.domains
        (organization_id, domain, challenge, roles, added_at, verified_at, last_checked_at, failing_since)
        values (${of}::uuid, ${domain}, ${challenge.slice(0, 43)}, array['member'], ${at(added)},
          ${at(proved)}, ${at(proved === undefined ? undefined : 0.25)}, ${at(failing)})`,
    )
  }
}

/** The browser gets the session of a user, who has signed in a moment ago. */
async function becomes(page: Page, { api, web }: TestWebApp, user: Person) {
  const { userId, email, password } = user
  const { registration, ...portable } = await createPortableKey()
  await api.call('login', { email, password, ...registration })
  const value = await sealSession(sessionSecret, { userId, ...portable })
  const context = page.context()
  await context.addCookies([{ name: 'svc_session', value, url: web }])
  // The answer brings the other cookie, without which the page takes the user for signed out.
  await context.request.get(`${web}/api/rpc/getAuthSession`)
}

async function opensMachine(page: Page) {
  await page.getByRole('button', { name: 'Manage Nightly report' }).click()
  await page.getByRole('button', { name: 'Replace CI' }).waitFor()
}

async function isRefused(page: Page) {
  await page.getByLabel('Ask for a second factor', { exact: true }).check()
  await page.getByLabel('Domains of email addresses').fill('hopper.example')
  await page.getByRole('button', { name: 'Save the policies' }).click()
  await page.getByText('Nothing was saved').waitFor()
}

/** Donald has no address of the domains. */
async function asksForMore(page: Page, app: TestWebApp) {
  const { org, donald } = await hopperOf(app)
  const setPolicies = (policies: object) =>
    app.api.auth.db.execute(
      sql`update organizations.organizations set policies = ${JSON.stringify(policies)} where organization_id = ${org}`,
    )
  await setPolicies({ allowedDomains: ['hopper.example'], waysIn: ['passkey'] })
  await becomes(page, app, donald)
  await page.goto(`${app.web}/orgs/${slug}/members`)
  await page.getByText('this organization asks for more first').waitFor()
  await setPolicies({ maxIdleHours: 720 })
}

async function isOffered(page: Page, { web }: TestWebApp) {
  await answer(page, 'getOrganizationInvitation', {
    organization: 'Hopper',
    roles: ['Member'],
    emailHint: 'e…@hopper.example',
  })
  await page.goto(`${web}${invitation}?token=${'t'.repeat(43)}`)
  await page.getByText('is invited to').waitFor()
}
