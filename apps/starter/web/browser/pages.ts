/** What is for whoever is signed in. */
export const accountPages = ['/account', '/account/devices', '/account/security', '/live']

/** What is for superadmins. */
export const adminPages = ['/admin/roles']

export const guardedPages = [...accountPages, ...adminPages]

/** Where mailed links lead. */
export const linkPages = ['/signup/confirm', '/password/reset']

export const openPages = [
  '/',
  '/login',
  '/register',
  '/signup',
  '/password/forgot',
  ...linkPages,
  '/no-such-page',
]
