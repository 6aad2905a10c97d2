import { type AddressQuery, textOf } from '../address-query.ts'

export const searchFields = ['email', 'name', 'username', 'phone', 'id'] as const
type SearchField = (typeof searchFields)[number]

export const userStatuses = ['active', 'suspended', 'pending_deletion', 'deleted'] as const
type UserStatus = (typeof userStatuses)[number]

/** Which users an address asks for. */
export interface PeopleQuery {
  field: SearchField
  /** What the field begins with; all users where it is empty. */
  text: string
  role: string
  status?: UserStatus
  /** Where the page before has ended. */
  after: string
}

export function readPeopleQuery(query: AddressQuery): PeopleQuery {
  const status = userStatuses.find((each) => each === query['status'])
  return {
    field: searchFields.find((each) => each === query['field']) ?? 'email',
    text: textOf(query, 'text', 254),
    role: textOf(query, 'role', 64),
    after: textOf(query, 'after', 1000),
    ...(status && { status }),
  }
}

/** Whether it asks for more than the beginning of an address. */
export function hasFurtherFilters({ field, role, status }: PeopleQuery) {
  return field !== 'email' || role !== '' || status !== undefined
}

/** The same as an address, from its first page on unless it says where to go on. */
export function peopleAddress(path: string, { field, text, role, status, after }: PeopleQuery) {
  const query = new URLSearchParams({
    ...(text && { field, text }),
    ...(role && { role }),
    ...(status && { status }),
    ...(after && { after }),
  })
  return query.size === 0 ? path : `${path}?${query}`
}

/** What `listUsers` is asked. */
export function listQuery({ field, text, role, status, after }: PeopleQuery) {
  return {
    ...(text && { [field]: text }),
    ...(role && { role }),
    ...(status && { status }),
    ...(after && { after }),
  }
}
