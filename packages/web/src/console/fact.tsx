import type { ReactNode } from 'react'

interface Props {
  name: string
  children: ReactNode
}

/** A line in a list of facts; none where it is not known. */
export function Fact({ name, children }: Props) {
  if (children === undefined) return null
  return (
    <>
      <dt className="svc-faded">{name}</dt>
      <dd className="svc-fact">
        <bdi>{children}</bdi>
      </dd>
    </>
  )
}
