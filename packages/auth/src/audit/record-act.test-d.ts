import { describe, expectTypeOf, it } from 'vitest'
import type { AppAct } from '../app-acts.ts'

interface Acts {
  orders: 'order.refunded'
  teams: 'team.renamed' | 'team.left'
}

describe('the acts that recordAct takes', () => {
  it('are those that the application names', () => {
    expectTypeOf<AppAct<Acts>>().toEqualTypeOf<'order.refunded' | 'team.renamed' | 'team.left'>()
  })

  it('are none where it names none', () => {
    expectTypeOf<AppAct<object>>().toEqualTypeOf<never>()
  })
})
