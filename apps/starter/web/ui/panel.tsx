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
    <section className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
      <h2 className="font-medium text-lg">{title}</h2>
      {about && <p className="mt-1 max-w-prose text-faded text-sm">{about}</p>}
      {children && <div className="mt-4">{children}</div>}
    </section>
  )
}
