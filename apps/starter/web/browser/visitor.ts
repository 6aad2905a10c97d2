import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { cookiesOf } from './ask.ts'
import { app } from './running-web-app.ts'
import { whenLoaded } from './when-loaded.ts'

export type Visitor = Awaited<ReturnType<typeof newVisitor>>

/** A person with a browser of their own: no cookie is shared with another. */
export async function newVisitor(web = app.web) {
  const context = await app.browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  return { context, page, web, ...actionsOn(page, web) }
}

/** A user who has signed in a moment ago, and whose page is still blank. */
export async function signedInVisitor(user: { email: string; password: string }) {
  const visitor = await newVisitor()
  const cookies = (await cookiesOf(user)).split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return { name, value, url: app.web, httpOnly: name === 'svc_session', sameSite: 'Lax' as const }
  })
  await visitor.context.addCookies(cookies)
  return visitor
}

/** What a person does on a page, by the words that are on it. */
function actionsOn(page: Page, web: string) {
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  return {
    fill,
    click,
    open: async (path: string) => {
      const answer = await page.goto(`${web}${path}`)
      await whenLoaded(page)
      return answer
    },
    /** By the menu of the user, or by a button of its own where the application has no menu. */
    signOut: async () => {
      const menu = page.getByRole('button', { name: 'Your account' })
      await menu
        .or(page.getByRole('button', { name: 'Sign out', exact: true }))
        .first()
        .waitFor()
      if (await menu.isVisible()) await menu.click()
      await click('Sign out')
    },
    isSignedIn: () =>
      page
        .getByRole('button', { name: /^(?:Your account|Sign out)/ })
        .first()
        .waitFor(),
    see: (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    signIn: async ({ email, password }: { email: string; password: string }, path = '/login') => {
      await page.goto(`${web}${path}`)
      await whenLoaded(page)
      await fill('Email', email)
      await fill('Password', password)
      await click('Sign in')
    },
  }
}
