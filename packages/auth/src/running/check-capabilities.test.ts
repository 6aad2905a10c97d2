import { defineJob, defineJobRouter, optional } from '@svc/core'
import { route } from '@svc/core/contract'
import { expect, it } from 'vitest'
import { authCapabilities } from '../capabilities.ts'
import { defineCapability } from '../capability/capability.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { perMinute } from '../limits/contract.ts'
import { startTestAuth } from '../testing.ts'
import { checkCapabilities } from './check-capabilities.ts'

const nothing = () => {}

/** A capability that nothing else has anything of. */
function capability(
  name: string,
  given: { operation?: string; limit?: number; exported?: string; act?: string; parts?: object },
) {
  const {
    operation = `${name}Ask`,
    limit = 1,
    exported = `${name}s`,
    act = `${name}.asked`,
    parts = {},
  } = given
  const path = `/_auth/${name}/ask`
  const contract = defineContract(name, {
    operations: { [operation]: allow.public('ask by address')(route.post(path)) },
    limits: { 'ask by address': perMinute(limit) },
  })
  return defineCapability(contract, {
    audit: [act],
    handlers: { [operation]: nothing },
    account: { export: { [exported]: async () => [] } },
    ...parts,
  })
}

/** Two that have nothing of the same name but what is given. */
const twoWith = (parts: object) => [capability('cards', { parts }), capability('badges', { parts })]

const check =
  (...list: ReturnType<typeof capability>[]) =>
  () =>
    checkCapabilities([...authCapabilities({}), ...list])

it('takes capabilities that have nothing of the same name', () => {
  expect(check(capability('cards', {}), capability('badges', {}))).not.toThrow()
})

it.each([
  [
    'name',
    [capability('cards', {}), capability('cards', { operation: 'other', exported: 'others' })],
    'the name "cards"',
  ],
  ['operation', [capability('cards', { operation: 'login' })], 'the operation "login"'],
  [
    'part of the export',
    [capability('cards', { exported: 'devices' })],
    'the part of the export "devices"',
  ],
  [
    'act of the audit trail',
    [capability('cards', { act: 'key.rotated' })],
    'the act of the audit trail "key.rotated"',
  ],
  [
    'act as the core',
    [capability('cards', { act: 'login' })],
    'the capability cards declares "login"',
  ],
  [
    'permission',
    twoWith({ permissions: [{ name: 'card:make', displayName: 'Make', category: 'cards' }] }),
    'the capabilities cards and badges both have the permission "card:make"',
  ],
  ['variable', twoWith({ env: { CARD_ISSUER: optional } }), 'the variable "CARD_ISSUER"'],
  [
    'job',
    twoWith({ jobs: defineJobRouter({ printCard: defineJob('cards.print').handler(nothing) }) }),
    'the job "printCard"',
  ],
  [
    'kind of mailed link',
    twoWith({ linkMails: { card: async () => {} } }),
    'the kind of mailed link "card"',
  ],
  [
    'limit of another number',
    [capability('cards', {}), capability('badges', { limit: 2 })],
    'another limit "ask by address"',
  ],
])('refuses two with the same %s', (_, list, problem) => {
  expect(check(...list)).toThrow(problem)
})

it('refuses tables without migrations, which nothing would make', async () => {
  const tables = defineCapability(defineContract('cards', { operations: {} }), {
    tables: {},
    handlers: {},
  })
  await expect(startTestAuth({ options: { capabilities: [tables] } })).rejects.toThrow(
    'the capability cards has tables and no folder for their migrations',
  )
})

it('refuses an idempotent operation, whose handler has no transaction that keeps the answer', () => {
  const contract = defineContract('cards', {
    operations: { pay: allow.bearer('owner only')(route.post('/_auth/cards/pay').idempotent()) },
  })
  const cards = defineCapability(contract, { handlers: { pay: nothing } })
  expect(() => checkCapabilities([cards])).toThrow(
    'the operation pay of the capability cards is .idempotent(), which is for routes of an application',
  )
})
