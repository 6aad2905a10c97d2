'use client'

import type { ReactNode } from 'react'
import { useSay } from '../../account-pages/account-pages.ts'

interface Props {
  title: ReactNode
  /** The log has the error under it. */
  code: string
}

/** In place of what a part of the console shows. */
export function PartFailed({ title, code }: Props) {
  const say = useSay()
  return (
    <p role="alert" className="svc-small svc-problem svc-break">
      {title}: {say('Failed')} <code>{code}</code>
    </p>
  )
}
