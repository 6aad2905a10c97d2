import type { Page } from 'playwright-core'
import { cookiesOf } from './ask.ts'

export const row = (page: Page, text: string) =>
  page.getByRole('listitem').filter({ hasText: text })

export const asUser = async (user: Parameters<typeof cookiesOf>[0]) => ({
  cookie: await cookiesOf(user),
})
