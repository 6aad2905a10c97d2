import { allow, forbidSupport, getAuth, getUserId, mailRevokeAllLink } from '@svc/auth/server'
import { route } from '@svc/core/contract'
import { accountName } from '../notices/post-notice.ts'

export const getMe = allow.anyKey(
  route.get('/me').handler((c) => {
    const { user, role, permissions } = getAuth(c)
    return { userId: user.userId, name: accountName(user), role, permissions }
  }),
)

/**
 * Mails the user a link that signs every device out, including this one. For a user who has lost a
 * device.
 */
export const mailSignOutLink = allow.anyKey(
  route
    .post('/me/sign-out-link')
    .use([forbidSupport])
    .handler((c) => mailRevokeAllLink(getUserId(c))),
)
