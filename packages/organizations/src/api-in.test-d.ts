import type { Api } from '@svc/core/client'
import { route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import { type ApiInOrganization, apiIn } from './api-in.ts'

const org = t.String()
const routes = {
  listInvoices: route
    .get('/orgs/:org/invoices')
    .input({ params: t.Object({ org }) })
    .answer(t.Object({ total: t.Integer() })),
  payInvoice: route
    .post('/orgs/:org/invoices/:invoiceId')
    .input({ params: t.Object({ org, invoiceId: t.String() }), body: t.Object({ by: t.String() }) })
    .answer(t.Undefined(), 204),
  health: route.get('/health').answer(t.Object({ ok: t.Boolean() })),
}
declare const api: Api<typeof routes>
const inside: ApiInOrganization<typeof api> = apiIn(api, 'o1')

describe('a client in an organization', () => {
  it('fills the organization in, and leaves everything else as it is', () => {
    expectTypeOf(inside.listInvoices.call()).resolves.toEqualTypeOf<{ total: number }>()
    void inside.payInvoice.call({ params: { invoiceId: 'i1' }, body: { by: 'card' } })
    void inside.health.call()
  })

  it('does not compile without the rest', () => {
    // @ts-expect-error: which invoice
    void inside.payInvoice.call({ body: { by: 'card' } })
    // @ts-expect-error: how it is paid
    void inside.payInvoice.call({ params: { invoiceId: 'i1' } })
    // @ts-expect-error: there is no such query
    void inside.listInvoices.call({ query: { all: true } })
  })
})
