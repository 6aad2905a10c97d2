import { describe, expect, it } from 'vitest'
import { breakingChanges } from './breaking-changes.ts'
import type { Bundle, Operation, Schema } from './bundle.ts'

const text = { type: 'string' }
const object = (properties: Record<string, Schema>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const oneOf = (...anyOf: Schema[]) => ({ anyOf })

const add: Operation = {
  name: 'orders.add',
  method: 'POST',
  path: '/orders',
  proof: true,
  input: { body: object({ sku: text }) },
  answers: { 200: object({ orderId: text }, 'orderId') },
}

function bundle(operation: Partial<Operation>, more: Partial<Bundle> = {}): Bundle {
  const operations = [{ ...add, ...operation }]
  return { contract: 'shop', contractVersion: '0.1.0', operations, types: {}, errors: {}, ...more }
}

const changes = (before: Bundle, now: Bundle) => breakingChanges({ before, now })

/** What is said of a body, or an answer, that was the first schema and is the second. */
const ofInput = (before: Schema, now: Schema) =>
  changes(bundle({ input: { body: before } }), bundle({ input: { body: now } }))
const ofAnswer = (before: Schema, now: Schema) =>
  changes(bundle({ answers: { 200: before } }), bundle({ answers: { 200: now } }))

describe('an operation', () => {
  it.each<[what: string, now: Partial<Operation>, said: string]>([
    ['has another name', { name: 'orders.make' }, 'is gone'],
    ['has another method', { method: 'PUT' }, 'is now PUT /orders; it was POST /orders'],
    ['has another path', { path: '/order' }, 'is now POST /order; it was POST /orders'],
    ['takes no proof', { proof: false }, 'takes no proof now'],
    ['takes no body', { input: {} }, 'input.body is gone'],
    ['answers a status besides', { answers: { ...add.answers, 202: null } }, 'answer 202 is new'],
    ['answers without a body', { answers: { 200: null } }, 'answer 200 has no body now'],
  ])('breaks clients when it %s', (_what, now, said) => {
    expect(changes(bundle({}), bundle(now))).toEqual([`orders.add: ${said}`])
  })

  it('breaks clients when it takes a proof, or a body, that it did not take', () => {
    const before = bundle({ proof: false, input: {}, answers: { 204: null } })
    expect(changes(before, bundle({ answers: { 204: object({}) } }))).toEqual([
      'orders.add: takes a proof now',
      'orders.add: input.body is new and required',
      'orders.add: answer 204 has a body now',
    ])
  })

  it('may be new, answer a status no longer, and take a query that may be left out', () => {
    const query = object({ page: { type: 'integer' } })
    const now = bundle({ input: { ...add.input, query }, answers: {} })
    now.operations.push({ ...add, name: 'orders.list' })
    expect(changes(bundle({}), now)).toEqual([])
  })
})

describe('what clients send', () => {
  const sizes = (...values: string[]) => object({ size: { type: 'string', enum: values } })
  const limited = (limits: Schema) => object({ sku: { ...text, ...limits } })

  it.each<[what: string, before: Schema, now: Schema, said: string]>([
    ['a member is gone', object({ sku: text }), object({}), '.sku is gone'],
    [
      'a required member is new',
      object({}),
      object({ sku: text }, 'sku'),
      '.sku is new and required',
    ],
    [
      'a member becomes required',
      object({ sku: text }),
      object({ sku: text }, 'sku'),
      '.sku is now required',
    ],
    [
      'a member has another type',
      object({ sku: text }),
      object({ sku: { type: 'integer' } }),
      '.sku is now integer; it was string',
    ],
    [
      'any value becomes one of a type',
      object({ sku: {} }),
      object({ sku: text }),
      '.sku is now string; it was anything',
    ],
    [
      'a number becomes an integer',
      object({ n: { type: 'number' } }),
      object({ n: { type: 'integer' } }),
      '.n is now integer; it was number',
    ],
    [
      'an enum loses a value (A-025)',
      sizes('s', 'l'),
      sizes('l', 'm'),
      '.size no longer accepts "s"',
    ],
    ['a text becomes an enum', object({ size: text }), sizes('s'), '.size accepts only "s"'],
    [
      'a bound falls',
      limited({ maxLength: 9 }),
      limited({ maxLength: 8 }),
      '.sku has maxLength 8; it had 9',
    ],
    ['a bound is new', limited({}), limited({ minLength: 1 }), '.sku has minLength 1; it had none'],
    [
      'a lower bound rises',
      limited({ minLength: 1 }),
      limited({ minLength: 2 }),
      '.sku has minLength 2; it had 1',
    ],
    [
      'a pattern is another',
      limited({ pattern: 'a' }),
      limited({ pattern: 'b' }),
      '.sku has pattern "b"; it had "a"',
    ],
    [
      'items change',
      object({ all: { type: 'array', items: object({}) } }),
      object({ all: { type: 'array', items: object({ sku: text }, 'sku') } }),
      '.all[].sku is new and required',
    ],
    [
      'values of a record change',
      object({ more: { type: 'object', patternProperties: { '^.*$': text } } }),
      object({ more: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } } }),
      '.more.* is now integer; it was string',
    ],
    [
      'a choice has less',
      oneOf(object({ a: text }, 'a'), object({ b: text }, 'b')),
      object({ a: text }, 'a'),
      ' no longer accepts every value that it accepted',
    ],
  ])('breaks clients when %s', (_what, before, now, said) => {
    expect(ofInput(before, now)).toEqual([`orders.add: input.body${said}`])
  })

  it.each<[what: string, before: Schema, now: Schema]>([
    ['have a new member that may be left out', object({}), object({ sku: text })],
    ['leave a member to the client', object({ sku: text }, 'sku'), object({ sku: text })],
    ['take more values', sizes('s'), sizes('s', 'l')],
    ['take any text', sizes('s'), object({ size: text })],
    ['take longer texts', limited({ maxLength: 8 }), limited({ maxLength: 9 })],
    ['ask for less', limited({ minLength: 1, pattern: 'a' }), limited({})],
    ['take any number', object({ n: { type: 'integer' } }), object({ n: { type: 'number' } })],
    ['take null', object({ sku: text }), object({ sku: oneOf(text, { type: 'null' }) })],
    ['be described', limited({}), limited({ description: 'What it is.' })],
  ])('may %s', (_what, before, now) => {
    expect(ofInput(before, now)).toEqual([])
  })
})

describe('what clients are answered', () => {
  const kept = object({ orderId: text }, 'orderId')
  const sized = (...values: string[]) => object({ size: { type: 'string', enum: values } })
  const status = (value: string, ...more: string[]) =>
    object(
      {
        status: { type: 'string', const: value },
        ...Object.fromEntries(more.map((name) => [name, text])),
      },
      'status',
      ...more,
    )

  it.each<[what: string, before: Schema, now: Schema, said: string]>([
    ['a member is gone', kept, object({}), '.orderId is gone'],
    ['a member that may be left out is gone', object({ note: text }), object({}), '.note is gone'],
    [
      'a member may be missing (A-377)',
      kept,
      object({ orderId: text }),
      '.orderId may now be missing',
    ],
    [
      'a member has another type',
      kept,
      object({ orderId: { type: 'integer' } }, 'orderId'),
      '.orderId is now integer; it was string',
    ],
    [
      'a member may be null',
      kept,
      object({ orderId: oneOf(text, { type: 'null' }) }, 'orderId'),
      '.orderId may now have values that it did not have',
    ],
    [
      'an integer becomes a number',
      object({ n: { type: 'integer' } }),
      object({ n: { type: 'number' } }),
      '.n is now number; it was integer',
    ],
    ['every value is another', sized('s'), sized('l'), '.size is now "l"; it was "s"'],
    [
      'an item changes',
      { type: 'array', items: kept },
      { type: 'array', items: object({}) },
      '[].orderId is gone',
    ],
    [
      'there is something else besides',
      status('a'),
      oneOf(status('a'), status('b')),
      ' may now have values that it did not have',
    ],
    [
      'one of two changes',
      oneOf(status('a', 'x'), status('b', 'y')),
      oneOf(status('a', 'x'), status('b')),
      '.y is gone',
    ],
  ])('breaks clients when %s', (_what, before, now, said) => {
    expect(ofAnswer(before, now)).toEqual([`orders.add: answer 200${said}`])
  })

  it.each<[what: string, before: Schema, now: Schema]>([
    ['have a new member', kept, object({ orderId: text, size: text }, 'orderId', 'size')],
    ['always have a member', object({ orderId: text }), kept],
    ['have values that no client knows yet (A-025)', sized('s'), sized('s', 'l')],
    ['have fewer values', sized('s', 'l'), sized('s')],
    ['have other limits', object({ n: text }), object({ n: { ...text, maxLength: 9 } })],
    ['be one of two no longer', oneOf(status('a'), status('b')), status('b')],
    ['be two in another order', oneOf(status('a'), status('b')), oneOf(status('b'), status('a'))],
  ])('may %s', (_what, before, now) => {
    expect(ofAnswer(before, now)).toEqual([])
  })
})

describe('what stands beside operations', () => {
  const Order = object({ orderId: text }, 'orderId')

  it('is compared where it is used, under whichever name', () => {
    const before = bundle({ answers: { 200: { $ref: '#/types/Order' } } }, { types: { Order } })
    const renamed = bundle(
      { answers: { 200: { $ref: '#/types/Item' } } },
      { types: { Item: Order } },
    )
    const changed = bundle(before.operations[0] ?? {}, { types: { Order: object({}) } })
    const unused = bundle({ answers: { 200: Order } })
    expect(changes(before, renamed)).toEqual([])
    expect(changes(before, unused)).toEqual([])
    expect(changes(before, changed)).toEqual(['orders.add: answer 200.orderId is gone'])
  })

  it('breaks clients when an error has another status, and may gain and lose errors', () => {
    const before = bundle({}, { errors: { A: { status: 400 }, B: { status: 409 } } })
    const now = bundle({}, { errors: { B: { status: 404 }, C: { status: 410 } } })
    expect(changes(before, now)).toEqual(['B: is now 404; it was 409'])
  })

  it('breaks clients when a proof is made in another way', () => {
    const profile = { name: 'proof', window: { backMillis: 300_000 }, kinds: ['ios'] }
    const before = bundle({}, { profile })
    const wider = { ...profile, kinds: ['ios'], refusals: {} }
    expect(changes(before, bundle({}, { profile: wider }))).toEqual([])
    const other = { name: 'proof', window: { backMillis: 1000 } }
    expect(changes(before, bundle({}, { profile: other }))).toEqual([
      'profile.window.backMillis: is now 1000; it was 300000',
      'profile.kinds: is now gone; it was ["ios"]',
    ])
  })
})
