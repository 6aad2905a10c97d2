import { allow, createAuthRouter } from '@svc/auth/server'
import { route, t } from '@svc/core/contract'
import { describe, it } from 'vitest'
import { organization } from './contract.ts'
import { agentInOrg, freshInOrg, freshOnTeam, inOrg, member, onTeam } from './server.ts'

const org = t.String({ format: 'uuid' })
const plain = route
  .get('/orgs/:org/invoices')
  .input({ params: t.Object({ org }) })
  .handler(() => ({}))

/** As zod, valibot and others make one. */
declare const otherSchema: {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: { readonly org: string } }
  }
}

describe('a route of an organization', () => {
  it('does not compile if it asks for no member', () => {
    const routes = {
      member: member()(plain),
      inOrg: inOrg('invoice:read')(plain),
      freshInOrg: freshInOrg('invoice:read')(plain),
      onTeam: onTeam()(plain),
      freshOnTeam: freshOnTeam()(plain),
      agentInOrg: agentInOrg('/mcp')(plain),
      in: allow.in(organization)(plain),
    }
    createAuthRouter({ routes })
    // @ts-expect-error -- every user may call it
    createAuthRouter({ routes: { listInvoices: allow.bearer(plain) } })
    // @ts-expect-error -- everyone may call it
    createAuthRouter({ routes: { listInvoices: allow.public(plain) } })
    // @ts-expect-error -- a permission of the account is none in the organization
    createAuthRouter({ routes: { listInvoices: allow.may('invoice:read')(plain) } })
    // @ts-expect-error -- one of them does not
    createAuthRouter({ routes: { ...routes, listInvoices: allow.bearer(plain) } })
  })

  it('is found with the schemas of another library too', () => {
    const other = route.get('/orgs/:org/invoices').input({ params: otherSchema })
    createAuthRouter({ routes: { listInvoices: member()(other.handler(() => ({}))) } })
    // @ts-expect-error -- every user may call it
    createAuthRouter({ routes: { listInvoices: allow.bearer(other.handler(() => ({}))) } })
  })

  it('is one by its path, also if it declares nothing of it', () => {
    const undeclared = route.get('/orgs/:org/invoices').handler(() => ({}))
    const atTheEnd = route.delete('/orgs/:org').handler(() => ({}))
    const query = t.Object({ dry: t.Boolean() })
    const otherwise = route
      .post('/orgs/:org/dry')
      .input({ query })
      .idempotent()
      .handler(() => ({}))
    createAuthRouter({ routes: { undeclared: member()(undeclared), atTheEnd: member()(atTheEnd) } })
    // @ts-expect-error -- every user may call it
    createAuthRouter({ routes: { undeclared: allow.bearer(undeclared) } })
    // @ts-expect-error -- every user may call it
    createAuthRouter({ routes: { atTheEnd: allow.bearer(atTheEnd) } })
    // @ts-expect-error -- every user may call it
    createAuthRouter({ routes: { otherwise: allow.bearer(otherwise) } })
    const longer = route.get('/orgs/:organizer').handler(() => ({}))
    createAuthRouter({ routes: { longer: allow.bearer(longer) } })
  })

  it('is none by a query', () => {
    const query = t.Object({ org })
    const byQuery = route
      .get('/invoices')
      .input({ query })
      .handler(() => ({}))
    createAuthRouter({ routes: { listInvoices: allow.bearer(byQuery) } })
  })
})
