import Link from 'next/link'
import { useWords } from '../words/languages.tsx'

export const noticesOnPage = 20

/** The number of the page in the address, or the first page if it is missing or invalid. */
export function pageNumber(text: string | string[] | null | undefined) {
  return typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

export function pageAddress(path: string, page: number) {
  return page === 1 ? path : `${path}?page=${page}`
}

interface Props {
  /** Where the board is. */
  path: string
  page: number
  totalPages: number
  onTurn: (page: number) => void
}

export function Pager({ path, page, totalPages, onTurn }: Props) {
  const board = useWords('board')
  if (totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <Link
      href={pageAddress(path, to)}
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
    <nav aria-label={board.pages} className="flex items-center justify-between pt-6 text-sm">
      {page > 1 ? turn(page - 1, board.newer) : <span />}
      {page < totalPages ? turn(page + 1, board.older) : <span />}
    </nav>
  )
}
