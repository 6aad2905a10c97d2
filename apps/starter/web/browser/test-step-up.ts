import { enrolledVisitor } from './enrolled-visitor.ts'
import { type Visitor } from './visitor.ts'

type Enrolled = Awaited<ReturnType<typeof enrolledVisitor>>

export const dialog = ({ page }: Visitor) =>
  page.getByRole('dialog', { name: 'Confirm that it is you' })

export async function give(visitor: Visitor, label: string, proof: string) {
  await dialog(visitor).getByLabel(label, { exact: true }).fill(proof)
  await dialog(visitor).getByRole('button', { name: 'Continue' }).click()
}

export const prove = (visitor: Enrolled) => give(visitor, 'Code', visitor.user.phone.nextCode())

export async function changePassword({ open, fill, click, user }: Enrolled, newPassword: string) {
  await open('/account/security')
  await click('Change password')
  await fill('Current password', user.password)
  await fill('New password', newPassword)
  await click('Change password')
}
