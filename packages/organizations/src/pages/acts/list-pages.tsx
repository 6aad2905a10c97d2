import { ButtonLink } from '@svc/web/account'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

interface ListPagesProps {
  label: string
  /** The first page. */
  href: string
  /** What is asked of each page, such as a filter. */
  query?: Readonly<Record<string, string>>
  /** Where the next page begins, or null on the last. */
  next: string | null
  isFirst: boolean
}

/** Lists go on where a page has ended. */
export function ListPages({ label, href, query = {}, next, isFirst }: ListPagesProps) {
  const say = useOrganizationSay()
  if (isFirst && next === null) return null
  return (
    <nav aria-label={label} className="svc-pager">
      {isFirst ? (
        <span />
      ) : (
        <ButtonLink href={withQuery(href, query)}>{say('← First page')}</ButtonLink>
      )}
      {next !== null && (
        <ButtonLink href={withQuery(href, { ...query, after: next })} prefetch={false}>
          {say('Next page →')}
        </ButtonLink>
      )}
    </nav>
  )
}

/** An address with a query, if there is any. */
export function withQuery(href: string, query: Readonly<Record<string, string>>) {
  const asked = new URLSearchParams(query)
  return asked.size === 0 ? href : `${href}?${asked}`
}
