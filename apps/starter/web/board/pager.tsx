import Link from 'next/link'
import { pageAddress } from './paging.ts'

interface Props {
  page: number
  totalPages: number
  onTurn: (page: number) => void
}

export function Pager({ page, totalPages, onTurn }: Props) {
  if (totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <Link
      href={pageAddress(to)}
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault()
        onTurn(to)
      }}
      className="rounded-lg border border-edge bg-sheet px-4 py-2 font-medium hover:border-faded"
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex items-center justify-between pt-6 text-sm">
      {page > 1 ? turn(page - 1, '← Newer') : <span />}
      {page < totalPages ? turn(page + 1, 'Older →') : <span />}
    </nav>
  )
}
