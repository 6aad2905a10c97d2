import { enrolledUser } from './enrolled-visitor.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export const settings = '/account/security/two-step'

/** A user with a second factor, in a browser where they have entered their password. */
export async function waitingVisitor() {
  const user = await enrolledUser()
  const visitor = await newVisitor()
  await visitor.signIn(user, '/login?returnTo=%2Faccount')
  await visitor.page.waitForURL(secondStep(visitor))
  return { ...visitor, user }
}

export const secondStep = ({ web }: Pick<Visitor, 'web'>) => `${web}/auth/mfa?returnTo=%2Faccount`

export async function finish({ fill, click, page, web }: Visitor, code: string) {
  await fill('Code', code)
  await click('Sign in')
  await page.waitForURL(`${web}/account`)
}
