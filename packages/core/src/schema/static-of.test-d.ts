import type { Static } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { t } from '../contract.ts'
import type { InputOf, OutputOf } from './schema.ts'
import type { StaticOf } from './static-of.ts'

const schemas = {
  flat: t.Object({ a: t.String(), b: t.Integer(), c: t.Number(), d: t.Boolean(), e: t.Null() }),
  optional: t.Object({ a: t.String(), b: t.Optional(t.Integer()) }),
  allOptional: t.Object({ a: t.Optional(t.String()) }),
  nested: t.Object({ list: t.Array(t.Object({ id: t.String(), n: t.Optional(t.Number()) })) }),
  literals: t.Union([t.Literal('a'), t.Literal(2), t.Null(), t.Object({ x: t.String() })]),
  enumerated: t.Enum(['red', 'blue']),
  unknowns: t.Object({ any: t.Any(), unknown: t.Unknown(), nothing: t.Object({}) }),
  record: t.Record(t.String(), t.Object({ n: t.Integer() })),
  tuple: t.Tuple([t.String(), t.Integer()]),
  both: t.Intersect([t.Object({ a: t.String() }), t.Object({ b: t.String() })]),
  unsafe: t.Unsafe<Date>({ type: 'string' }),
}
type Schemas = typeof schemas

describe('a default', () => {
  const schema = t.Object({
    page: t.Integer({ default: 1, minimum: 1 }),
    order: t.Union([t.Literal('up'), t.Literal('down')], { default: 'up' }),
    tags: t.Array(
      t.Object({ name: t.String(), color: t.Enum(['red', 'blue'], { default: 'red' }) }),
      {
        default: [],
      },
    ),
    deep: t.Optional(t.Boolean({ default: false })),
    text: t.String({ maxLength: 9 }),
  })

  it('is there for a handler', () => {
    expectTypeOf<OutputOf<typeof schema>>().toEqualTypeOf<{
      page: number
      order: 'up' | 'down'
      tags: { name: string; color: 'red' | 'blue' }[]
      deep: boolean
      text: string
    }>()
  })

  it('need not be sent', () => {
    expectTypeOf<InputOf<typeof schema>>().toEqualTypeOf<{
      page?: number
      order?: 'up' | 'down'
      tags?: { name: string; color?: 'red' | 'blue' }[]
      deep?: boolean
      text: string
    }>()
  })

  it('need not be sent in a part of an intersection', () => {
    const both = t.Intersect([
      t.Object({ a: t.String() }),
      t.Object({ n: t.Integer({ default: 1 }) }),
    ])
    expectTypeOf<Pick<InputOf<typeof both>, 'a' | 'n'>>().toEqualTypeOf<{ a: string; n?: number }>()
    expectTypeOf<Pick<OutputOf<typeof both>, 'a' | 'n'>>().toEqualTypeOf<{ a: string; n: number }>()
  })

  it('is of the type of its schema', () => {
    // @ts-expect-error a number for a text
    void t.String({ default: 1 })
    // @ts-expect-error none of the values
    void t.Enum(['red', 'blue'], { default: 'green' })
  })
})

describe('StaticOf', () => {
  it('is what TypeBox says a schema’s type is', () => {
    expectTypeOf<StaticOf<Schemas['flat']>>().toEqualTypeOf<Static<Schemas['flat']>>()
    expectTypeOf<StaticOf<Schemas['optional']>>().toEqualTypeOf<Static<Schemas['optional']>>()
    expectTypeOf<StaticOf<Schemas['allOptional']>>().toEqualTypeOf<Static<Schemas['allOptional']>>()
    expectTypeOf<StaticOf<Schemas['nested']>>().toEqualTypeOf<Static<Schemas['nested']>>()
    expectTypeOf<StaticOf<Schemas['literals']>>().toEqualTypeOf<Static<Schemas['literals']>>()
    expectTypeOf<StaticOf<Schemas['enumerated']>>().toEqualTypeOf<Static<Schemas['enumerated']>>()
    expectTypeOf<StaticOf<Schemas['record']>>().toEqualTypeOf<Static<Schemas['record']>>()
    expectTypeOf<StaticOf<Schemas['tuple']>>().toEqualTypeOf<Static<Schemas['tuple']>>()
    expectTypeOf<StaticOf<Schemas['both']>>().toEqualTypeOf<Static<Schemas['both']>>()
    expectTypeOf<StaticOf<Schemas['unsafe']>>().toEqualTypeOf<Date>()
  })
})
