import { expect, it } from 'vitest'
import type { OwnOrganization } from '../organization-api.ts'
import { areWithin, isWithin } from './role-words.ts'

const me = { roles: ['admin'], permissions: ['member:invite', 'role:manage'] }

it('a role is offered that allows no more than the user’s own', () => {
  expect(isWithin(me, { name: 'inviter', permissions: ['member:invite'] })).toBe(true)
  expect(isWithin(me, { name: 'member', permissions: [] })).toBe(true)
  expect(isWithin(me, { name: 'closer', permissions: ['organization:close'] })).toBe(false)
})

it('an account with greater roles is not offered to be changed, also when there are other roles', () => {
  const roles = [
    { name: 'inviter', displayName: 'Inviter', permissions: ['member:invite'], isBuiltIn: false },
    {
      name: 'closer',
      displayName: 'Closer',
      permissions: ['organization:close'],
      isBuiltIn: false,
    },
  ]
  const organization = me as unknown as OwnOrganization
  expect(areWithin(organization, ['inviter'], roles)).toBe(true)
  expect(areWithin(organization, ['inviter', 'closer'], roles)).toBe(false)
})

it('only owners are offered the role of an owner', () => {
  const owner = { name: 'owner', permissions: [] }
  expect(isWithin(me, owner)).toBe(false)
  expect(isWithin({ ...me, roles: ['owner'] }, owner)).toBe(true)
})
