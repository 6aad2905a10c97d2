import Link from 'next/link'

export default function NotFound() {
  return (
    <main className="py-14">
      <h1 className="font-display text-4xl tracking-tight">There is no such page</h1>
      <Link href="/" className="mt-4 inline-block text-accent underline underline-offset-4">
        Go to the notice board
      </Link>
    </main>
  )
}
