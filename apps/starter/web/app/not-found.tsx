import type { Metadata } from 'next'
import { TextLink } from '../ui/text-link.tsx'

export const metadata: Metadata = { title: 'No such page · Svc starter' }

export default function NotFound() {
  return (
    <main className="py-14">
      <h1 className="font-display text-4xl tracking-tight">There is no such page</h1>
      <p className="mt-4">
        <TextLink href="/">Go to the notice board</TextLink>
      </p>
    </main>
  )
}
