import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { SiteHeader } from './site-header.tsx'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import './globals.css'

export const metadata: Metadata = {
  title: 'Notices · Svc starter',
  description: 'A notice board on Svc: typed routes, one database, one process.',
}

export default async function Layout({ children }: { children: ReactNode }) {
  // The nonce of the content security policy is one request's, so no page is rendered ahead of it.
  await connection()
  return (
    <html lang="en">
      <body className="min-h-dvh bg-paper text-ink antialiased">
        <div className="mx-auto max-w-3xl px-5 sm:px-8">
          <SiteHeader />
          {children}
        </div>
      </body>
    </html>
  )
}
