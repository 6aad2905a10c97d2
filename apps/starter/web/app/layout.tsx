import { ArrivalNotice } from '@svc/web/account'
import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { isDevelopment, publicApiUrl } from '../env.ts'
import { AccountLanguages, PageWords } from '../words/languages.tsx'
import { pageWords, visitorLocale } from '../words/page-words.ts'
import { SiteHeader } from './site-header.tsx'
// oxlint-disable import/no-unassigned-import -- a style sheet has nothing to assign
import '@svc/web/account.css'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Notices · Svc starter', template: '%s · Svc starter' },
  description: 'A notice board on Svc: typed routes, one database, one process.',
}

// Only an API in development has one.
const mailbox = isDevelopment ? { mailboxUrl: `${publicApiUrl}/_ops/mailbox` } : {}

export default async function Layout({ children }: { children: ReactNode }) {
  // The nonce of the content security policy is one request's, so no page is rendered ahead of it.
  await connection()
  const [locale, words] = await Promise.all([visitorLocale(), pageWords()])
  const { problems, permissions } = words
  return (
    <html lang={locale}>
      <body className="min-h-dvh bg-paper text-ink antialiased">
        <AccountLanguages {...{ ...mailbox, locale }} permissionWords={permissions}>
          <a
            href="#content"
            className="sr-only rounded-lg bg-accent font-medium text-on-accent focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:px-4 focus:py-2"
          >
            {words.site.skip}
          </a>
          <div className="mx-auto flex min-h-dvh max-w-3xl flex-col px-5 sm:px-8">
            <SiteHeader words={words.site} />
            <div id="content" tabIndex={-1} className="grow pb-16 outline-none">
              <ArrivalNotice />
              <PageWords words={{ problems }}>{children}</PageWords>
            </div>
          </div>
        </AccountLanguages>
      </body>
    </html>
  )
}
