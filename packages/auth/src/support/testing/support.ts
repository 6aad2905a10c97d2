import { defineEventRouter, defineServer } from '@svc/core'
import { directRequest } from '@svc/core/client'
import { route } from '@svc/core/contract'
import { allow, type DeclaredRoute } from '../../application/application.ts'
import { ownerEvents } from '../../auth-events.ts'
import { toOwners } from '../../authenticate/authenticate.ts'
import { forbidSupport, getAuth, getOptionalAuth } from '../../caller/caller.ts'
import { type AuthOptions, createAuthLifecycle } from '../../lifecycle.ts'
import { createAuthRouter } from '../../router.ts'
import { noticeEvent } from '../../streams/test-application.ts'
import { done } from '../../test-answers.ts'
import { createTestKey, type TestAuth, type TestKey, type TestUser } from '../../testing.ts'

const who = (path: string) =>
  route.get(path).handler((c) => {
    const caller = getOptionalAuth(c)
    return { userId: caller?.userId ?? null, actor: caller?.actor ?? null }
  })

/** Routes of an application, by what they say of their callers. */
export const routes = {
  anyKey: allow.anyKey(who('/any-key')),
  bearer: allow.bearer(who('/bearer')),
  optional: allow.optional(who('/optional')),
  may: allow.may('auth:self:manage')(who('/may')),
  role: allow.role('user')(who('/role')),
  editors: allow.role('editor')(who('/editors')),
  stepUp: allow.stepUp(who('/step-up')),
  fresh: allow.fresh(who('/fresh')),
  superadmin: allow.superadmin(who('/superadmin')),
  ownerOnly: allow.bearer(
    route
      .get('/owner-only')
      .use([forbidSupport])
      .handler((c) => ({ userId: getAuth(c).userId })),
  ),
}

type More = Readonly<Record<string, DeclaredRoute>>

/** An application with support sessions, routes and streams. */
export const supported = (options: AuthOptions = { support: {} }, more: More = {}) =>
  defineServer()
    .routes(createAuthRouter({ routes: { ...routes, ...more } }))
    .lifecycle(createAuthLifecycle({ templates: { 'new-device': null }, ...options }))
    .events(defineEventRouter({ notice: noticeEvent, ...ownerEvents }), {
      auth: { enabled: true, ...toOwners },
    })

interface Choice {
  minutes?: number
  reason?: string
  code?: string
}

/** An operator's session in the name of an account: the key that was made for it. */
export async function sessionOf(
  { call }: Pick<TestAuth, 'call'>,
  operator: Pick<TestUser, 'key'>,
  { userId, ...choice }: { userId: string } & Choice,
): Promise<TestKey> {
  const key = await createTestKey()
  const body = { userId, reason: 'ticket 7', ...key.registration, ...choice }
  await done(call('openSupportSession', body, operator.key))
  return key
}

/** Asks a route of the application, signed. */
export async function ask(
  { url: host, signerOf }: Pick<TestAuth, 'url' | 'signerOf'>,
  path: string,
  key: TestKey,
) {
  const request = directRequest(host, { method: 'GET', path, input: {} })
  const headers = await signerOf(key)({ ...request, body: '' })
  const answer = await fetch(request.url, { headers })
  return { status: answer.status, body: await answer.json() }
}
