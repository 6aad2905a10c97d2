'use client'

import Link, { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

interface Props {
  href: string
  children: ReactNode
}

/** A link to a part of the site, which marks the part that is shown now. */
export function NavLink({ href, children }: Props) {
  const path = usePathname()
  return (
    <Link
      href={href}
      aria-current={path === href ? 'page' : isUnder(path, href) || undefined}
      className="py-1 text-faded decoration-2 decoration-accent underline-offset-8 hover:text-ink hover:underline aria-[current]:text-ink aria-[current]:underline"
    >
      <Label>{children}</Label>
    </Link>
  )
}

/** The next page may take a moment. */
function Label({ children }: { children: ReactNode }) {
  const { pending } = useLinkStatus()
  return <span className={pending ? 'animate-pulse' : ''}>{children}</span>
}

/**
 * Whether a page belongs to a part of the site. Every path starts with `/`, which is the home page
 * only.
 */
function isUnder(path: string, part: string) {
  return path === part || (part !== '/' && path.startsWith(`${part}/`))
}
