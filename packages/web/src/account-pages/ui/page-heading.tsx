import type { ReactNode } from 'react'

export function PageHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="svc-heading">
      <h1 className="svc-heading-title">{title}</h1>
      {children && <p className="svc-heading-about">{children}</p>}
    </header>
  )
}
