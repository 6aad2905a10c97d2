import { describe, expect, it } from 'vitest'
import { t } from '../contract.ts'
import { strip } from './strip.ts'

const Pet = t.Object({ name: t.String() })
const Node = t.Cyclic(
  { Node: t.Object({ name: t.String(), kids: t.Array(t.Ref('Node')) }) },
  'Node',
)
const rex = { name: 'Rex' }
const given = { name: 'Rex', role: 'admin' }

describe('what a schema does not name is left out of', () => {
  it.each([
    ['an object', Pet, given, rex],
    ['a list', t.Array(t.Array(Pet)), [[given]], [[rex]]],
    ['a tuple', t.Tuple([t.Number(), Pet]), [1, given], [1, rex]],
    ['a record', t.Record(t.String(), Pet), { a: given }, { a: rex }],
    ['a union', t.Union([Pet, t.Null()]), given, rex],
    [
      'an intersection',
      t.Intersect([Pet, t.Object({ age: t.Number() })]),
      { ...given, age: 1 },
      { ...rex, age: 1 },
    ],
    [
      'a schema that refers to itself',
      Node,
      { ...given, kids: [{ ...given, kids: [] }] },
      { ...rex, kids: [{ ...rex, kids: [] }] },
    ],
    [
      'members of an object that takes others',
      t.Object({ pet: Pet }, { additionalProperties: true }),
      { pet: given, more: 1 },
      { pet: rex, more: 1 },
    ],
    [
      'members of an object that takes others of a schema',
      t.Object({ pet: Pet }, { additionalProperties: Pet }),
      { pet: given, more: given },
      { pet: rex, more: rex },
    ],
    [
      'members of an object that refuses others, which it still does',
      t.Object({ pet: Pet }, { additionalProperties: false }),
      { pet: given, more: 1 },
      { pet: rex, more: 1 },
    ],
  ])('%s', (_what, schema, value, expected) => {
    const before = structuredClone(value)

    expect(strip(schema)?.(value)).toEqual(expected)
    // An answer may be an object that others hold too.
    expect(value).toEqual(before)
  })

  it('a record: names that its pattern does not match, whose values nothing checks', () => {
    const byWord = strip(t.Record(t.String({ pattern: '^[a-z]+$' }), t.Number()))

    expect(byWord?.({ ok: 1, 'not ok': { role: 'admin' } })).toEqual({ ok: 1 })
    expect(strip(t.Record(t.String(), t.Number()))?.({ 'a\nb': 'no number' })).toEqual({})
  })

  it('nothing that is not of the schema’s kind', () => {
    expect(strip(t.Record(t.String(), Pet))?.([given])).toEqual([given])
    expect(strip(t.Tuple([Pet]))?.('text')).toBe('text')
    expect(strip(t.Tuple([t.Union([Pet, t.Null()])]))?.([null, 1])).toEqual([null, 1])
  })
})
