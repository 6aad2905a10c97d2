import Link from 'next/link'
import { type Listing, listingAddress } from './listing.ts'

interface Props {
  listing: Listing
  totalPages: number
}

export function ListingPager({ listing, totalPages }: Props) {
  const { page } = listing
  if (page === 1 && totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <Link
      href={listingAddress({ ...listing, page: to })}
      prefetch={false}
      className="rounded-lg border border-edge bg-sheet px-4 py-2 font-medium hover:border-faded"
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex items-center justify-between pt-5 text-sm">
      {page > 1 ? turn(page - 1, '← Newer') : <span />}
      {page < totalPages ? turn(page + 1, 'Older →') : <span />}
    </nav>
  )
}
