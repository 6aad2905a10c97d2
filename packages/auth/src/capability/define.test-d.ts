import { integer, oneOf } from '@svc/core'
import { defineEvent, defineEventRouter, route, t } from '@svc/core/contract'
import { describe, expectTypeOf, it } from 'vitest'
import type { AuditEntry } from '../caller/caller.ts'
import { perMinute } from '../limits/contract.ts'
import { allow } from './access.ts'
import { defineCapability, type HeldBy } from './define-capability.ts'
import { defineContract } from './define-contract.ts'
import { keyFields } from './fields.ts'
import { LoginResult } from './login-result.ts'

const card = defineContract('card', {
  operations: {
    signInByCard: allow.public('card by address')(
      route
        .post('/_auth/card/sign-in')
        .input({ body: t.Object({ number: t.String(), ...keyFields }) })
        .answer(LoginResult),
    ),
    listCards: allow.bearer('owner only')(
      route.get('/_auth/card').answer(t.Object({ cards: t.Array(t.String()) })),
    ),
  },
  limits: { 'card by address': perMinute(10), 'card by account': perMinute(5) },
  browser: { signInByCard: 'signs in' },
})

interface Cards {
  printed: number
}
type CardHeld = HeldBy<typeof card, { own: Cards; acts: 'card.used' }>

describe('the events of a contract', () => {
  it('keep their types, for a router of streams', () => {
    const played = defineEvent('card.played', t.Object({ number: t.String() }))
    const { events } = defineContract('x', { operations: {}, events: { played } })
    const router = defineEventRouter(events)
    expectTypeOf(router.events.played).toEqualTypeOf<typeof played>()
  })
})

describe('a contract', () => {
  const list = allow.bearer('owner only')(route.get('/_auth/x/list'))
  const take = allow.bearer('owner only')(
    route.post('/_auth/x').input({ body: t.Object(keyFields) }),
  )

  it('says who may call an operation, or does not compile', () => {
    // @ts-expect-error -- it does not say who may call
    defineContract('x', { operations: { list: route.get('/_auth/x/list') } })
  })

  it('declares the limits that its operations count by, or does not compile', () => {
    const ask = allow.public('ask by address')(route.post('/_auth/x'))
    // @ts-expect-error -- there is no such limit
    defineContract('x', { operations: { ask } })
    // @ts-expect-error -- it is another one
    defineContract('x', { operations: { ask }, limits: { 'asked by address': perMinute(1) } })
    defineContract('x', { operations: { ask }, limits: { 'ask by address': perMinute(1) } })
  })

  it('says what an operation that registers a key does in a browser, or does not compile', () => {
    // @ts-expect-error -- it does not say so
    defineContract('x', { operations: { take } })
    // @ts-expect-error -- of another one only
    defineContract('x', { operations: { take, list }, browser: { list: 'ends keys' } })
    // @ts-expect-error -- there is no such effect
    defineContract('x', { operations: { take }, browser: { take: 'signs in twice' } })
    // @ts-expect-error -- there is no such operation
    defineContract('x', { operations: { list }, browser: { lists: 'ends keys' } })
    defineContract('x', { operations: { take, list }, browser: { take: 'takes a foreign key' } })
  })
})

describe('the audit trail', () => {
  it('takes the acts that our capabilities and the core declare, and no others', () => {
    expectTypeOf<'key.rotated' | 'login'>().toExtend<AuditEntry['act']>()
    expectTypeOf<'key.rotted'>().not.toExtend<AuditEntry['act']>()
  })
})

describe('a capability', () => {
  const handlers = {
    signInByCard: () => ({ mfaRequired: false }),
    listCards: () => ({ cards: [] }),
  }

  it('implements every operation, and no other', () => {
    defineCapability(card, { handlers })
    // @ts-expect-error -- one is missing
    defineCapability(card, { handlers: { listCards: handlers.listCards } })
    // @ts-expect-error -- it is another answer
    defineCapability(card, { handlers: { ...handlers, listCards: () => ({ cards: [1] }) } })
  })

  it('holds its variables, which are a constant', () => {
    const env = { CARD_DAYS: integer({ initial: 3 }), CARD_KIND: oneOf('plain', 'gold') }
    defineCapability(card, {
      env,
      handlers: {
        ...handlers,
        listCards: ({ auth }) => {
          expectTypeOf(auth.env.CARD_DAYS).toEqualTypeOf<number>()
          expectTypeOf(auth.env.CARD_KIND).toEqualTypeOf<'plain' | 'gold'>()
          return { cards: [] }
        },
      },
    })
  })

  it('holds what it opened, its own limits and its own acts', () => {
    defineCapability(card, {
      audit: ['card.used'],
      open: () => ({ printed: 1 }),
      handlers: {
        ...handlers,
        listCards: async ({ auth, caller }) => {
          expectTypeOf(auth.printed).toEqualTypeOf<number>()
          expectTypeOf(auth).toExtend<CardHeld>()
          expectTypeOf(caller.userId).toEqualTypeOf<string>()
          await auth.limits.take('card by account', caller.userId)
          // @ts-expect-error -- it is of another capability
          await auth.limits.take('login by account', caller.userId)
          await auth.audit(auth.db, 'card.used', { at: auth.clock.now() })
          // @ts-expect-error -- it is not declared
          await auth.audit(auth.db, 'card.lost', { at: auth.clock.now() })
          // @ts-expect-error -- keys come in by the ways alone
          await auth.ways.insertKey()
          return { cards: [] }
        },
      },
    })
  })
})
