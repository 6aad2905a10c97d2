import { isUuid } from '../../uuid.ts'

/** Where a search looks. */
export const searchFields = ['name', 'slug', 'user'] as const
type SearchField = (typeof searchFields)[number]

export const states = ['open', 'closed'] as const
type State = (typeof states)[number]

/** Which organizations an address asks for. */
export interface ListQuery {
  field: SearchField
  /** What the field begins with, or the whole id of a user; all organizations if it is empty. */
  text: string
  state?: State
  /** Where the page before has ended. */
  after: string
}

type AddressQuery = Record<string, string | string[] | undefined>

export function readListQuery(query: AddressQuery): ListQuery {
  const field = searchFields.find((each) => each === query['field']) ?? 'name'
  const state = states.find((each) => each === query['state'])
  return {
    field,
    text: textOf(query['text'], longest[field]),
    after: textOf(query['after'], 2000),
    ...(state && { state }),
  }
}

/** As the operation takes them. */
const longest = { name: 100, slug: 48, user: 64 }

function textOf(value: string | string[] | undefined, most: number) {
  return typeof value === 'string' ? value.trim().slice(0, most) : ''
}

/** The same as an address, from its first page on unless it says where to go on. */
export function listAddress(path: string, { field, text, state, after }: ListQuery) {
  const query = new URLSearchParams({
    ...(text && { field, text }),
    ...(state && { state }),
    ...(after && { after }),
  })
  return query.size === 0 ? path : `${path}?${query}`
}

/** What `searchOrganizations` is asked; null for a user id that is none. */
export function searchInput({ field, text, state, after }: ListQuery) {
  if (field === 'user' && text !== '' && !isUuid(text)) return null
  return {
    ...(text && { [field === 'user' ? 'userId' : field]: text }),
    ...(state && { state }),
    ...(after && { after }),
  }
}
