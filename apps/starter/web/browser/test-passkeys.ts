import { expect } from 'vitest'
import { signInWithPasskey } from './passkey-visitor.ts'
import type { Visitor } from './visitor.ts'

const opensNothing = 'This passkey doesn’t belong to an account here. Sign in another way.'

export const only = ({ page }: Visitor) =>
  page.getByRole('region', { name: '1 passkey' }).getByRole('listitem')

export async function remove(visitor: Visitor) {
  await only(visitor).getByRole('button', { name: 'Remove' }).click()
  await visitor.click('Yes, remove it')
}

export async function expectRefused(visitor: Visitor) {
  await signInWithPasskey(visitor)
  await visitor.see(opensNothing)
  await visitor.open('/account')
  expect(visitor.page.url()).toBe(`${visitor.web}/login?returnTo=%2Faccount`)
}
