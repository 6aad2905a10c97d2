/** Where an agent asks for access. This request names no known client. */
export const consentPage = '/oauth2/consent?client_id=none'

/** Where an application asks to sign a user out. The starter has no application. */
export const logoutPage = '/oauth2/logout'

/** The pages for signed-in users. */
export const accountPages = [
  '/account',
  '/account/devices',
  '/account/agents',
  '/account/approvals',
  '/account/machines',
  '/account/security',
  '/account/security/linked',
  '/account/security/passkeys',
  '/account/security/two-step',
  '/account/security/support-code',
  '/account/email',
  '/account/close',
  '/device',
  '/live',
  '/orgs',
]

/** The pages for users who may see other users. */
export const staffPages = [
  '/admin/people',
  '/admin/invitations',
  '/admin/audit',
  '/admin/live',
  '/admin/jobs',
  '/admin/programs',
  '/admin/limits',
  '/admin/server',
]

/** What is for superadmins. */
export const adminPages = ['/admin/roles', '/admin/organizations']

export const guardedPages = [...accountPages, ...staffPages, ...adminPages]

/** Where mailed links lead that can be asked for there. */
export const linkPages = ['/signup/confirm', '/password/reset']

/** Where a mailed link leads that comes by itself. */
export const undoPage = '/account/undo'
export const keepFactorPage = '/account/keep-factor'

/** Where invitations lead: to an account, and into an organization. */
export const invitationPages = ['/invitation', '/invitation/organization']

export const openPages = [
  '/',
  '/login',
  '/link',
  '/register',
  '/signup',
  '/password/forgot',
  '/restore',
  '/auth/callback',
  '/auth/error',
  '/auth/error?error=provider_error',
  '/auth/mfa',
  '/auth/mfa?oauth=pending',
  '/auth/renew',
  ...linkPages,
  undoPage,
  keepFactorPage,
  ...invitationPages,
  logoutPage,
  '/no-such-page',
]
