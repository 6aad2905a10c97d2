/** What is for whoever is signed in. */
export const accountPages = ['/account', '/account/devices', '/account/security', '/live']

/** What is for superadmins. */
export const adminPages = ['/admin/roles']

export const guardedPages = [...accountPages, ...adminPages]

export const openPages = ['/', '/login', '/register', '/no-such-page']
