import { randomUUID } from 'node:crypto'
import { linkSentBy } from './mail.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export const password = 'seven sleepy sailors'
export const newEmail = () => `${randomUUID()}@example.com`

/** Asks on the page that is open, and answers where the mailed link leads. */
export async function requestLink({ fill, click, see }: Visitor, email: string) {
  await fill('Email', email)
  const link = await linkSentBy(() => click('Send link'), email, 'signup-link')
  await see('Check your mail')
  return link
}

/** A person whose link has just come. */
export async function invited() {
  const email = newEmail()
  const visitor = await newVisitor()
  await visitor.open('/signup')
  return { visitor, email, link: await requestLink(visitor, email) }
}

export async function openLink({ open, page, web, click }: Visitor, link: string) {
  await open(link)
  await page.waitForURL(`${web}/signup/confirm`)
  await click('Continue')
}
