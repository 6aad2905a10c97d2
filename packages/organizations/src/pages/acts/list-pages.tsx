import { ButtonLink } from '@svc/web/account'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

interface ListPagesProps {
  label: string
  /** The first page. */
  href: string
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
}

/** Lists go on where a page has ended. */
export function ListPages({ label, href, next, isFirst }: ListPagesProps) {
  const say = useOrganizationSay()
  if (isFirst && next === null) return null
  return (
    <nav aria-label={label} className="svc-pager">
      {isFirst ? <span /> : <ButtonLink href={href}>{say('← First page')}</ButtonLink>}
      {next !== null && (
        <ButtonLink href={`${href}?${new URLSearchParams({ after: next })}`} prefetch={false}>
          {say('Next page →')}
        </ButtonLink>
      )}
    </nav>
  )
}
