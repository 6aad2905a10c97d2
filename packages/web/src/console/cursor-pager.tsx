'use client'

import { ButtonLink, useSay } from '../account-pages/account-pages.ts'

interface Props {
  /** The addresses of the first page and of the next one; null where there is none to go to. */
  first: string | null
  next: string | null
  /** Tells it from another one on the page. */
  label?: string
}

/** For a list that goes on where a page has ended. */
export function CursorPager({ first, next, label: name }: Props) {
  const say = useSay()
  if (first === null && next === null) return null
  const turn = (href: string | null, label: string) =>
    href === null ? (
      <span />
    ) : (
      <ButtonLink href={href} prefetch={false}>
        {label}
      </ButtonLink>
    )
  return (
    <nav aria-label={name ?? say('Pages')} className="svc-pager">
      {turn(first, say('← First page'))}
      {turn(next, say('Next page →'))}
    </nav>
  )
}
