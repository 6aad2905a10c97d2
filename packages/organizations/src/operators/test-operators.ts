import { createRole } from '@svc/auth/server'
import type { TestUser } from '@svc/auth/testing'
import { type Auth, startTestOrganizations, stepsOf } from '../test-organizations.ts'

type Steps = ReturnType<typeof stepsOf>
type Api = ReturnType<Steps['apiOf']>
type Answer<Name extends keyof Api> = Api[Name] extends {
  call: (...given: never) => infer Answered
}
  ? Answered
  : never
type Act<Answered> = (org: string, by?: TestUser, why?: string) => Answered
type Query = Record<string, string | number>

/** Operators of a server with organizations, and what they do. */
export interface TestOperators extends Steps {
  readonly auth: Auth
  /** May see organizations. */
  readonly reader: TestUser
  /** May also close them and more, and see users. */
  readonly manager: TestUser
  readonly newManager: () => Promise<TestUser>
  readonly root: TestUser
  /** What an operator gives as the reason unless a test says another. */
  readonly reason: string
  readonly close: Act<Answer<'closeAnyOrganization'>>
  readonly reopen: Act<Answer<'reopenAnyOrganization'>>
  readonly clear: Act<Answer<'clearAnyOrganizationPolicies'>>
  readonly addOwner: (
    org: string,
    user: Pick<TestUser, 'userId'>,
    by?: TestUser,
    why?: string,
  ) => Answer<'addAnyOrganizationOwner'>
  readonly read: (org: string, by?: TestUser) => Answer<'readAnyOrganization'>
  readonly search: (query: Query, by?: TestUser) => Answer<'searchOrganizations'>
  /** The newest line of the trail about something. */
  readonly lineOf: (target: string) => Promise<unknown>
}

export async function startTestOperators(): Promise<TestOperators> {
  const auth = await startTestOrganizations({ SVC_RATE_LIMIT: 'on' })
  const steps = stepsOf(auth)
  const { apiOf } = steps

  const roleOf = async (name: string, permissions: string[]) => {
    await auth.server.within(() =>
      createRole({ name, displayName: name, priority: 50, permissions }),
    )
    return () => auth.signedInUser({ role: name })
  }
  const reader = await (await roleOf('reader', ['organization:read']))()
  const newManager = await roleOf('manager', [
    'organization:read',
    'organization:manage',
    'user:read',
  ])
  const manager = await newManager()
  const root = await auth.signedInUser({ role: 'superadmin' })

  const reason = 'Ticket 7'
  const of = (org: string, why: string) => ({
    params: { organizationId: org },
    body: { reason: why },
  })

  return {
    ...steps,
    auth,
    reader,
    manager,
    newManager,
    root,
    reason,
    close: (org, by = manager, why = reason) => apiOf(by).closeAnyOrganization.call(of(org, why)),
    reopen: (org, by = manager, why = reason) => apiOf(by).reopenAnyOrganization.call(of(org, why)),
    clear: (org, by = manager, why = reason) =>
      apiOf(by).clearAnyOrganizationPolicies.call(of(org, why)),
    addOwner: (org, { userId }, by = manager, why = reason) => {
      const { params, body } = of(org, why)
      return apiOf(by).addAnyOrganizationOwner.call({ params, body: { ...body, userId } })
    },
    read: (org, by = reader) =>
      apiOf(by).readAnyOrganization.call({ params: { organizationId: org } }),
    search: (query, by = reader) => apiOf(by).searchOrganizations.call({ query }),
    async lineOf(target) {
      const query = { target }
      const { body } = await auth.call('listAuditEvents', undefined, root.key, { query })
      return body.data[0]
    },
  }
}

export const nowhere = (): string => crypto.randomUUID()
