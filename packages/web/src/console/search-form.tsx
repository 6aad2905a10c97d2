'use client'

import type { ComponentProps, ReactNode } from 'react'
import { Button, Field, useSay } from '../account-pages/account-pages.ts'

interface Props {
  path: string
  /** Further filters, which are folded: on a phone they would be all that is seen. */
  more: ReactNode
  /** One of them is set. */
  hasMore: boolean
  children: ReactNode
}

/** A search whose words are in the address, so that it works without scripts. */
export function SearchForm({ path, more, hasMore, children }: Props) {
  const say = useSay()
  return (
    <form role="search" action={path} className="svc-sheet svc-stack">
      {children}
      <details open={hasMore}>
        <summary className="svc-disclosure">{say('More filters')}</summary>
        <div className="svc-stack svc-above-3">{more}</div>
      </details>
      <div>
        <Button type="submit" look="primary">
          {say('Search')}
        </Button>
      </div>
    </form>
  )
}

/** Fields beside each other, where there is room. */
export function SearchRow({ children }: { children: ReactNode }) {
  return <div className="svc-form-columns svc-form-columns-wide">{children}</div>
}

/** A field for addresses and names, which no browser completes or corrects. */
export function SearchField(field: ComponentProps<typeof Field>) {
  return <Field {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} />
}
