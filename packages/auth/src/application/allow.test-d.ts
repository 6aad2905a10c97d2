import { defineRouter, route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import { allow as allowOperation } from '../capability/contract.ts'
import type { PermissionName } from '../permission-name.ts'
import { createAuthRouter } from '../router.ts'
import { allow } from './application.ts'

const plain = route
  .get('/orders/:orderId')
  .input({ params: t.Object({ orderId: t.String() }) })
  .handler(async (c) => ({ orderId: (await c.data()).params.orderId }))

describe('a route of an application with sign-in', () => {
  it('does not compile if it does not say who may call it', () => {
    createAuthRouter({ routes: { getOrder: allow.may('order:read')(plain) } })
    // @ts-expect-error -- it does not say who may call it
    createAuthRouter({ routes: { getOrder: plain } })
    // @ts-expect-error -- one of two does not
    createAuthRouter({ routes: { getOrder: allow.bearer(plain), list: plain } })
    // @ts-expect-error -- a step after it makes a route that says nothing
    createAuthRouter({ routes: { getOrder: allow.bearer(plain).skip(['auth']) } })
  })

  it('does not compile with the access of an operation, which has no guards', () => {
    // @ts-expect-error -- that is `allow` of a capability
    createAuthRouter({ routes: { getOrder: allowOperation.may('order:read')(plain) } })
  })

  it('does not compile with a permission that is missing', () => {
    // @ts-expect-error -- name at least one
    allow.may()
    // @ts-expect-error -- name at least one
    allow.role()
  })

  it('keeps its types', () => {
    const declared = allow.may('order:read')(plain)
    const router = createAuthRouter({ routes: { getOrder: declared } })
    expectTypeOf(router.routes.getOrder['~access']).toEqualTypeOf<`may ${string}`>()
    const undeclared = defineRouter({ getOrder: plain })
    type Body<R> = R extends { '~body': infer B } ? B : never
    expectTypeOf<Body<typeof router.routes.getOrder>>().toEqualTypeOf<
      Body<typeof undeclared.routes.getOrder>
    >()
  })

  it('knows the permissions that the application names, and ours', () => {
    type Named = PermissionName<{ names: 'order:read' }>
    expectTypeOf<'order:read' | 'audit:read'>().toExtend<Named>()
    expectTypeOf<'order:raed'>().not.toExtend<Named>()
    expectTypeOf<PermissionName>().toEqualTypeOf<string>()
  })
})
