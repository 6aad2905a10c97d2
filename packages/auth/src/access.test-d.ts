import { route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import { allow } from './access.ts'
import type { Caller } from './authenticate/caller.ts'
import { implement } from './implement.ts'
import { authRouter } from './router.ts'

const operation = route.post('/_auth/x').input({ body: t.Object({ name: t.String() }) })
const open = { ask: allow.public(operation.answer(t.Object({ ok: t.Boolean() }))) }
const closed = { ask: allow.bearer(operation) }

describe('an operation', () => {
  it('says who may call it, or does not compile', () => {
    // @ts-expect-error -- nobody has said who may call it
    implement({ ask: operation }, { ask: () => ({}) })
    implement(closed, { ask: () => ({}) })
  })

  it('knows nobody where everybody may call', () => {
    implement(open, {
      ask: ({ caller }) => {
        expectTypeOf(caller).toEqualTypeOf<undefined>()
        return { ok: true }
      },
    })
    implement(closed, {
      ask: ({ caller, body }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>()
        expectTypeOf(body).toEqualTypeOf<{ name: string }>()
        return {}
      },
    })
  })

  it('is implemented, and answers what it declares', () => {
    // @ts-expect-error -- it has no handler
    implement(open, {})
    // @ts-expect-error -- that is not its answer
    implement(open, { ask: () => ({ ok: 'yes' }) })
  })

  it('keeps its access in the router', () => {
    expectTypeOf(authRouter.routes.login.access).toEqualTypeOf<'public'>()
    expectTypeOf(authRouter.routes.listRoles.access).toEqualTypeOf<'superadmin'>()
    expectTypeOf(authRouter.routes.listAuditEvents.access).toEqualTypeOf<'may audit:read'>()
  })
})
