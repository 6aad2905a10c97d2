import { TextLink } from '@svc/web/account'
import type { Metadata } from 'next'
import { pageWords } from '../words/page-words.ts'

export const metadata: Metadata = { title: 'Page not found' }

export default async function NotFound() {
  const { problems } = await pageWords()
  return (
    <main className="py-14">
      <h1 className="font-display font-semibold text-3xl tracking-tight">{problems.notFound}</h1>
      <p className="mt-4">
        <TextLink href="/">{problems.toBoard}</TextLink>
      </p>
    </main>
  )
}
