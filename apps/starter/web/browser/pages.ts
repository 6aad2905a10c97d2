/** What is for whoever is signed in. */
export const accountPages = [
  '/account',
  '/account/devices',
  '/account/security',
  '/account/email',
  '/account/close',
  '/live',
]

/** What is for superadmins. */
export const adminPages = ['/admin/roles']

export const guardedPages = [...accountPages, ...adminPages]

/** Where mailed links lead that can be asked for there. */
export const linkPages = ['/signup/confirm', '/password/reset']

/** Where a mailed link leads that comes by itself. */
export const undoPage = '/account/undo'

export const openPages = [
  '/',
  '/login',
  '/register',
  '/signup',
  '/password/forgot',
  '/restore',
  ...linkPages,
  undoPage,
  '/no-such-page',
]
