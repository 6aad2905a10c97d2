import { expect } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor, type Visitor } from './visitor.ts'

export const others = ({ page }: Visitor) =>
  page.getByRole('listitem').filter({ hasText: 'Signed in' })

export async function twoDevices() {
  const user = await app.api.createUser()
  const [first, second] = [await signedInVisitor(user), await signedInVisitor(user)]
  await second.open('/account/devices')
  return { user, first, second }
}

/** What a signed-out user sees, and which cookies their browser has. */
export async function expectSignedOut({ page, context, open, web }: Visitor) {
  await open('/account')
  expect(page.url()).toBe(`${web}/login?returnTo=%2Faccount`)
  const answer = await page.evaluate(() =>
    fetch('/api/rpc/getAuthSession').then(({ status }) => status),
  )
  expect(answer).toBe(401)
  // The cookie of known browsers stays (decisions 16).
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_known'])
}
