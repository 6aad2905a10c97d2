import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Link } from '../ui/link.ts'
import { type Listing, listingAddress } from './listing.ts'

interface Props {
  listing: Listing
  totalPages: number
}

export function ListingPager({ listing, totalPages }: Props) {
  const say = useSay()
  const paths = usePaths()
  const { page } = listing
  if (page === 1 && totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <Link
      href={listingAddress(paths.invitations, { ...listing, page: to })}
      prefetch={false}
      className="svc-button svc-button-plain"
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label={say('Pages')} className="svc-pager">
      {page > 1 ? turn(page - 1, '← Newer') : <span />}
      {page < totalPages ? turn(page + 1, say('Older →')) : <span />}
    </nav>
  )
}
