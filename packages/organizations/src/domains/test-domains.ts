import type { TestUser } from '@svc/auth/testing'
import type { startTestDns } from '../../../../scripts/test-dns.ts'
import { type Auth, stepsOf } from '../test-organizations.ts'

type Dns = Awaited<ReturnType<typeof startTestDns>>

/** What tests do with domains. */
export function domainStepsOf(auth: Auth, { answers }: Dns) {
  const steps = stepsOf(auth)
  const { apiOf, created } = steps

  const newDomain = () => `${crypto.randomUUID().slice(0, 8)}.example`
  /** A user whose address is at the domain, and proved. */
  const userAt = (domain: string) =>
    auth.signedInUser({ email: `${crypto.randomUUID()}@${domain}` })

  // The tests move the clock, so a proof is never fresh.
  const add = (by: TestUser, org: string, domain: string, roles?: string[]) =>
    apiOf(by).addOrganizationDomain.call({
      params: { org },
      body: { domain, currentPassword: by.password, ...(roles && { roles }) },
    })
  const verify = (by: Pick<TestUser, 'key'>, org: string, domain: string, at = auth.server) =>
    apiOf(by, at).verifyOrganizationDomain.call({ params: { org, domain } })
  const remove = (by: TestUser, org: string, domain: string) =>
    apiOf(by).removeOrganizationDomain.call({ params: { org, domain } })
  const list = async (by: Pick<TestUser, 'key'>, org: string) =>
    (await apiOf(by).listOrganizationDomains.call({ params: { org } })).domains
  const join = (user: Pick<TestUser, 'key'>, organizationId: string, at = auth.server) =>
    apiOf(user, at).joinOrganization.call({ body: { organizationId } })
  const joinable = async (user: Pick<TestUser, 'key'>) =>
    (await apiOf(user).listJoinableOrganizations.call()).organizations

  /** Adds a domain, and sets its record. */
  async function added(by: TestUser, org: string, domain = newDomain(), roles?: string[]) {
    const made = await add(by, org, domain, roles)
    const { name, value } = made.record
    const before = answers.get(name)
    answers.set(name, [...(Array.isArray(before) ? before : []), value])
    return made
  }

  /** An organization that has proved a domain. */
  async function proved({ domain = newDomain(), roles = ['member'], name = 'Acme' } = {}) {
    const { owner, org } = await created(name)
    const { record } = await added(owner, org, domain, roles)
    await verify(owner, org, domain)
    return { owner, org, domain, record }
  }

  const trail = async (by: TestUser, org: string, act: string) =>
    (await apiOf(by).listOrganizationAudit.call({ params: { org }, query: { act, limit: 50 } }))
      .items

  const actions = { add, verify, remove, list, join, joinable, added, proved, trail }
  return { ...steps, ...actions, newDomain, userAt }
}
