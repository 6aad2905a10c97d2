import type { ReactNode } from 'react'

/** One line of a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="svc-faded">{name}</dt>
      <dd className="svc-fact">{children}</dd>
    </>
  )
}
