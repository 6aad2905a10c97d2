import { randomUUID } from 'node:crypto'
import { linkSentBy } from './mail.ts'
import { app } from './running-web-app.ts'
import { signedInVisitor } from './visitor.ts'

export const password = 'seven sleepy sailors'
export const superadmin = await app.api.signedInUser({ role: 'superadmin' })
export const newEmail = () => `${randomUUID()}@example.com`

/** A person whose invitation has just come. */
export async function invited(role = 'user') {
  const email = newEmail()
  const invite = () => app.api.call('createInvitation', { email, role }, superadmin.key)
  return { email, link: await linkSentBy(invite, email, 'invitation') }
}

export async function administration(user: { email: string; password: string }) {
  const visitor = await signedInVisitor(user)
  await visitor.open('/admin/invitations')
  await visitor.page.getByRole('heading', { name: 'Sent invitations' }).waitFor()
  const row = (email: string) => visitor.page.getByRole('listitem').filter({ hasText: email })
  return { ...visitor, row }
}
