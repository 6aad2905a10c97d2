import type { UserItem } from '@svc/auth'

export const fieldWords = {
  email: 'Email',
  name: 'Name',
  username: 'Username',
  phone: 'Phone number',
  id: 'User id',
} as const

export const statusWords = {
  active: 'Active',
  suspended: 'Suspended',
  pending_deletion: 'Closed, deletion pending',
  deleted: 'Deleted',
} as const

/** By what an operator tells users apart. */
export function userName({
  email,
  phone,
  username,
  publicId,
}: Pick<UserItem, 'email' | 'phone' | 'username' | 'publicId'>) {
  return email ?? phone ?? username ?? publicId
}
