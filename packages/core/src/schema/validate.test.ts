import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { t } from '../contract.ts'
import type { AnySchema } from './schema.ts'
import { validator } from './server.ts'

async function faults(schema: AnySchema, value: unknown) {
  const { fields } = await validator(schema, 'body')(value)
  return fields ?? []
}

const sent = { hunter2: 'hunter3' }

describe('a fault repeats nothing that was sent', () => {
  it.each<[string, AnySchema, object]>([
    ['a name that is refused', t.Object({}, { additionalProperties: false }), sent],
    ['a name in a record', t.Record(t.String(), t.Number()), sent],
    ['a name that is refused (zod)', z.strictObject({}), sent],
    ['a name in a record (zod)', z.record(z.string(), z.number()), sent],
    ['a name that does not match (zod)', z.record(z.string().regex(/^[a-z]+$/), z.string()), sent],
    [
      'a value inside of what a rule is about (zod)',
      z.object({ a: z.array(z.string()) }).refine(() => false, {
        error: ({ input }) => `not ${(input as { a: string[] }).a[0]}`,
      }),
      { a: ['hunter2'], toString: 1 },
    ],
  ])('%s', async (_what, schema, value) => {
    const found = await faults(schema, value)

    expect(found.length).toBeGreaterThan(0)
    expect(JSON.stringify(found)).not.toMatch(/hunter/)
  })

  it('and is no longer than what the schema says', async () => {
    const long = { ['k'.repeat(100_000)]: 'x' }

    expect(
      JSON.stringify(await faults(t.Record(t.String(), t.Number()), long)).length,
    ).toBeLessThan(200)
    expect(
      JSON.stringify(await faults(z.record(z.string(), z.number()), long)).length,
    ).toBeLessThan(200)
  })
})

it('a fault names what the schema names, and the place in a list', async () => {
  const List = t.Object({ pets: t.Array(t.Object({ name: t.String() })) })
  const list = z.object({ pets: z.array(z.object({ name: z.string() })) })

  for (const schema of [List, list]) {
    const [found] = await faults(schema, { pets: [{ name: 'Rex' }, { name: 7 }] })
    expect(found?.path).toBe('body.pets.1.name')
  }
  // What a library has no JSON Schema for is still named.
  const dated = z.object({ when: z.date(), age: z.number() })
  expect((await faults(dated, { when: new Date(), age: 'x' }))[0]?.path).toBe('body.age')
})

describe('a member that is missing is named, each on its own', () => {
  const Seat = t.Object({ row: t.Integer(), at: t.Object({ hall: t.String() }) })
  const missing = (...paths: string[]) => paths.map((path) => ({ path, message: 'is required' }))

  it.each<[string, AnySchema, unknown, string[]]>([
    ['at the top', t.Object({ name: t.String() }), {}, ['body.name']],
    ['in an object', Seat, { row: 1, at: {} }, ['body.at.hall']],
    [
      'in an item of a list',
      t.Array(Seat),
      [{ row: 1, at: { hall: 'A' } }, { row: 2 }],
      ['body.1.at'],
    ],
    ['several at once', Seat, {}, ['body.row', 'body.at']],
    [
      'at several depths',
      t.Array(Seat),
      [{ at: {} }, {}],
      ['0.row', '0.at.hall', '1.row', '1.at'].map((path) => `body.${path}`),
    ],
    [
      'that the schema only requires',
      t.Unsafe({ type: 'object', required: ['name'] }),
      {},
      ['body.name'],
    ],
  ])('%s', async (_where, schema, value, paths) => {
    expect(await faults(schema, value)).toEqual(missing(...paths))
  })

  it('beside what is wrong with the others', async () => {
    expect(await faults(Seat, { row: 'x' })).toEqual([
      ...missing('body.at'),
      { path: 'body.row', message: 'must be integer' },
    ])
  })

  it('also in what arrives as text', async () => {
    for (const place of ['params', 'query', 'headers', 'form']) {
      const { fields } = await validator(t.Object({ limit: t.Integer() }), place)({})
      expect(fields).toEqual(missing(`${place}.limit`))
    }
  })

  it('up to eight, of a body that lacks many', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
    const Many = t.Object(Object.fromEntries(names.map((name) => [name, t.String()])))

    expect(await faults(Many, {})).toEqual(
      missing(...names.slice(0, 8).map((name) => `body.${name}`)),
    )
  })
})

it('a field may have the name of a member that every object has', async () => {
  const query = validator(t.Object({ constructor: t.Optional(t.Integer()) }), 'query')

  expect(await query({})).toEqual({ value: {} })
})

describe('a fault says which words would be right', () => {
  const words = (...all: string[]) => t.Union(all.map((word) => t.Literal(word)))
  const of = (property: AnySchema) => t.Object({ purpose: property as ReturnType<typeof words> })

  it('once, and all of them', async () => {
    const all = 'a b c d e f g h i j k l'.split(' ')
    const many = words(...all)
    expect(await faults(of(many), { purpose: 'hunter2' })).toEqual([
      {
        path: 'body.purpose',
        message: `must be one of ${all.map((word) => `"${word}"`).join(', ')}`,
      },
    ])
  })

  it('where there is one', async () => {
    expect(await faults(of(t.Literal('login')), { purpose: 'register' })).toEqual([
      { path: 'body.purpose', message: 'must be "login"' },
    ])
  })

  it('and no word where something else would be right too', async () => {
    const found = await faults(of(t.Union([t.Literal('a'), t.Number()])), { purpose: 'b' })
    expect(found.map(({ message }) => message)).not.toContain('must be one of "a"')
  })
})
