import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

// A digit for the face of a user is no name to axe, and random addresses begin with one.
export const operator = await app.api.signedInUser({
  role: 'superadmin',
  email: 'odette.operator@example.com',
})

/** A user with a device, whose address begins with a word that no other has. */
export async function someone() {
  const word = randomUUID().slice(0, 8)
  const user = await app.api.signedInUser({ email: `${word}.hopper@example.com` })
  return { ...user, word }
}

export async function openConsole() {
  const visitor = await signedInVisitor(operator)
  await visitor.page.setViewportSize({ width: 375, height: 700 })
  await visitor.open('/admin/people')
  return visitor
}

/** An operator whose role has these permissions and no others. */
export async function operatorWith(permissions: string[]) {
  const name = `role-${randomUUID().slice(0, 8)}`
  const role = { name, displayName: 'Some operator', permissions }
  const made = await app.api.call('createAdminRole', role, operator.key)
  expect(made.status).toBe(201)
  return signedInVisitor(await app.api.createUser({ role: name }))
}
