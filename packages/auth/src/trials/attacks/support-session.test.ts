import type { HandlerContext, RawContext } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { type Operation, route, t } from '@svc/core/contract'
import { afterAll, expect, it } from 'vitest'
import { allow } from '../../application/application.ts'
import { operationsOf } from '../../auth-contract.ts'
import { authContracts } from '../../contracts.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { agentOptions } from '../../oauth2/testing/test-agent.ts'
import * as server from '../../server.ts'
import { sessionOf, supported } from '../../support/testing/support.ts'
import { startTestAuth, type TestKey } from '../../testing.ts'

type Server = typeof server

/** The functions of `@svc/auth/server` that take the context of a request. */
type TakesContext = {
  [Name in keyof Server]: Server[Name] extends (...given: infer Given) => unknown
    ? HandlerContext extends Given[number]
      ? Name
      : RawContext extends Given[number]
        ? Name
        : never
    : never
}[keyof Server]

type Act = (c: Pick<HandlerContext, 'raw'>) => Promise<unknown>

const tells = 'tells who calls, or from where, and does nothing for them'
const newEmail = () => `${crypto.randomUUID()}@example.com`

/** Of a function that is new and not in this list, the compiler says so. */
const functions = {
  inviteUser: (c) => server.inviteUser(c, { email: newEmail(), role: 'user' }),
  inviteUsers: (c) => server.inviteUsers(c, { rows: [{ email: newEmail() }] }),
  readAuditTrail: (c) => server.readAuditTrail(c),
  requireApproval: (c) =>
    server.requireApproval(c as HandlerContext, { operation: 'POST /act/:name', title: 'Act' }),
  answerSignIn: tells,
  canonicalJson: tells,
  challengeScopes: tells,
  getAccessToken: tells,
  getAuth: tells,
  getKeyId: tells,
  getLocale: tells,
  getOptionalAuth: tells,
  getRole: tells,
  getRoles: tells,
  getUser: tells,
  getUserId: tells,
  isSealedForAgent: tells,
  readAccessTokenAgain: tells,
  requireOwner: tells,
  sealForAgent: tells,
  signInWithProvider: tells,
  standingIn: tells,
  verifyAccessToken: tells,
  whenDecided: tells,
} satisfies Record<TakesContext, Act | typeof tells>

const acting: Record<string, Act> = Object.fromEntries(
  Object.entries(functions).flatMap(([name, each]) => (each === tells ? [] : [[name, each]])),
)

const act = allow.anyKey(
  route
    .post('/act/:name')
    .input({ params: t.Object({ name: t.String() }) })
    .handler(async (c) => {
      const { params } = await c.data()
      await acting[params.name]?.(c)
      return { done: params.name in acting }
    }),
)

const auth = await startTestAuth({
  definition: supported({ ...agentOptions.options, support: { consent: 'code' } }, { act }),
  env: withKeyring(),
})
const root = await auth.signedInUser({ role: 'superadmin' })
// An operator's account, so that no operation refuses for want of a permission.
const owner = await auth.signedInUser({ role: 'admin' })
const { code } = (await auth.call('createSupportCode', {}, owner.key)).body
const key = await sessionOf(auth, root, { userId: owner.userId, code })
afterAll(() => auth.stop())

const operations = Object.entries(operationsOf(authContracts)).filter(
  ([, { access }]) => access !== 'public' && access !== 'setup',
)

async function codeAt({ method, path }: Pick<Operation, 'method' | 'path'>, by: TestKey) {
  const params = Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, crypto.randomUUID()]),
  )
  const request = directRequest(auth.url, { method, path, input: { params } })
  const { url, ...init } = request
  const signed = await auth.signerOf(by)({ ...request, body: request.body ?? '' })
  const answer = await fetch(url, { ...init, headers: { ...init.headers, ...signed } })
  const text = await answer.text()
  return text === '' ? answer.status : (JSON.parse(text).error?.code ?? answer.status)
}

it('may read who is signed in and their profile, and end itself: everything else is the owner’s', () => {
  const table = operations.filter(([, { support }]) => support === 'support too')
  expect(table.map(([name]) => name).toSorted()).toEqual([
    'endSupportSession',
    'getAuthSession',
    'getUserProfile',
  ])
})

it('is refused by each operation that is the owner’s, and by no other (the cross matrix)', async () => {
  const answers = await Promise.all(
    operations.map(async ([name, { support, operation }]) => {
      const isRefused = (await codeAt(operation, key)) === 'SupportSessionForbiddenError'
      return [name, support, isRefused ? 'owner only' : 'support too'] as const
    }),
  )
  for (const [name, declared, answered] of answers) expect(answered, name).toBe(declared)
})

it.each(Object.keys(acting))(
  'is refused by %s, which acts for the caller of a route',
  async (name) => {
    const asked = { method: 'POST', path: `/act/${name}` } as const
    expect(await codeAt(asked, owner.key)).toBe(200)
    expect(await codeAt(asked, key)).toBe('SupportSessionForbiddenError')
  },
)

it('refuses no device of the owner’s by that name', async () => {
  for (const [name, { access, operation }] of operations) {
    // Its own end comes last, and is not asked for here.
    if (access === 'any-key' && name !== 'getAuthSession') continue
    expect(await codeAt(operation, owner.key), name).not.toBe('SupportSessionForbiddenError')
  }
})
