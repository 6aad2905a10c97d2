import type { ReactNode } from 'react'

/** The title of a page, and one or two sentences beneath it. */
export function PageHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="svc-heading">
      <h1 className="svc-heading-title">{title}</h1>
      {children && <p className="svc-heading-about">{children}</p>}
    </header>
  )
}

interface PanelProps {
  title: string
  /** One or two sentences under the title. */
  about?: ReactNode
  children?: ReactNode
}

/** A panel on the page: one thing that a user can do or learn. */
export function Panel({ title, about, children }: PanelProps) {
  return (
    <section className="svc-sheet">
      <h2 className="svc-title">{title}</h2>
      {about && <p className="svc-note svc-prose svc-above-1">{about}</p>}
      {children && <div className="svc-above-4">{children}</div>}
    </section>
  )
}

/** A placeholder while something is loading. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div role="status" className="svc-sheet svc-skeleton">
      <span className="svc-hidden">{label}</span>
      {['short', 'long', 'middle'].map((width) => (
        <span key={width} className={`svc-bar svc-bar-${width}`} />
      ))}
    </div>
  )
}
