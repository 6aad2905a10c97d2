import type { InvitationStatus } from '@svc/auth'

export const statuses = ['pending', 'accepted', 'cancelled', 'expired'] as const

export interface Listing {
  /** All of them if none is named. */
  status?: InvitationStatus
  page: number
}

/** Which invitations an address asks for. */
export function readListing(query: Record<string, string | string[] | undefined>): Listing {
  const status = statuses.find((each) => each === query['status'])
  return { page: pageNumber(query['page']), ...(status && { status }) }
}

export function listingAddress(path: string, { status, page }: Listing) {
  const query = new URLSearchParams({
    ...(status && { status }),
    ...(page > 1 && { page: String(page) }),
  })
  return query.size === 0 ? path : `${path}?${query}`
}

/** The number of the page in the address, or the first page if it is missing or invalid. */
function pageNumber(text: string | string[] | null | undefined) {
  return typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}
