import type { ReactNode } from 'react'

interface Props {
  title: string
  /** One or two sentences under the title. */
  about?: ReactNode
  children?: ReactNode
}

/** A sheet on the page: one thing that a person may do or know. */
export function Panel({ title, about, children }: Props) {
  return (
    <section className="svc-sheet">
      <h2 className="svc-title">{title}</h2>
      {about && <p className="svc-note svc-prose svc-above-1">{about}</p>}
      {children && <div className="svc-above-4">{children}</div>}
    </section>
  )
}
