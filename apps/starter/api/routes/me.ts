import { getAuth } from '@svc/auth/server'
import { route } from '@svc/core/contract'
import { accountName } from '../account-name.ts'

export const getMe = route.get('/me').handler((c) => {
  const { user, role, permissions } = getAuth(c)
  return { userId: user.userId, name: accountName(user), role, permissions }
})
