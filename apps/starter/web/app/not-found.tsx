import { TextLink } from '@svc/web/account'
import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <main className="py-14">
      <h1 className="font-display font-semibold text-3xl tracking-tight">Page not found</h1>
      <p className="mt-4">
        <TextLink href="/">Go to the notice board</TextLink>
      </p>
    </main>
  )
}
