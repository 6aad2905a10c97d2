import type { ReactNode } from 'react'

export function PageHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="pt-10 pb-6">
      <h1 className="font-display text-4xl tracking-tight">{title}</h1>
      {children && <p className="mt-3 max-w-prose text-faded">{children}</p>}
    </header>
  )
}
