/** An account, as `listUsers` and `readUser` have it. */
export interface User {
  userId: string
  publicId: string
  email?: string
  phone?: string
  username?: string
  displayName?: string
  role: string
  roles: string[]
  status: string
  createdAt: string
  lastLoginAt?: string
}
