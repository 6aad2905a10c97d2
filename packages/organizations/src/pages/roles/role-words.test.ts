import { expect, it } from 'vitest'
import { isWithin } from './role-words.ts'

const me = { roles: ['admin'], permissions: ['member:invite', 'role:manage'] }

it('a role is offered that allows no more than the user’s own', () => {
  expect(isWithin(me, { name: 'inviter', permissions: ['member:invite'] })).toBe(true)
  expect(isWithin(me, { name: 'member', permissions: [] })).toBe(true)
  expect(isWithin(me, { name: 'closer', permissions: ['organization:close'] })).toBe(false)
})

it('only owners are offered the role of an owner', () => {
  const owner = { name: 'owner', permissions: [] }
  expect(isWithin(me, owner)).toBe(false)
  expect(isWithin({ ...me, roles: ['owner'] }, owner)).toBe(true)
})
