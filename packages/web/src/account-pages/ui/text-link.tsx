import type { ComponentProps } from 'react'
import { Link } from './link.ts'

export function TextLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...props} className="svc-link" />
}
