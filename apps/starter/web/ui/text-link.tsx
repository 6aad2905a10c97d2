import Link from 'next/link'
import type { ComponentProps } from 'react'

export function TextLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...props} className="text-accent underline underline-offset-4 hover:text-ink" />
}
