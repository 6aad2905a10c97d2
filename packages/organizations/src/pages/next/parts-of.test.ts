import { expect, it } from 'vitest'
import { partsOf } from './parts-of.ts'

const permissions = ['member:invite', 'domain:manage', 'machine:manage', 'audit:read']

it('shows the parts for which the member has the permission', () => {
  const some = ['members', 'teams', 'invitations', 'domains', 'roles']
  const all = [...some, 'machines', 'audit', 'settings']
  expect(partsOf({ permissions }, {})).toEqual(all)
  expect(partsOf({ permissions: [] }, {})).toEqual(['members', 'teams', 'roles', 'settings'])
})

it('a personal organization has no parts about other members', () => {
  expect(partsOf({ isPersonal: true, permissions }, {})).toEqual(['machines', 'audit', 'settings'])
})

it('a support session does not show the trail', () => {
  expect(partsOf({ permissions }, { actor: 'an operator' })).not.toContain('audit')
})
