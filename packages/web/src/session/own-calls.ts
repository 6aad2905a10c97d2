/**
 * What the proxy calls of itself, as the route map has it. The map of all operations is for whoever makes the proxy: a
 * host that starts with every request reads what it imports as often.
 */
export const ownCalls = {
  getAuthSession: { method: 'GET', path: '/_auth/session' },
  logout: { method: 'POST', path: '/_auth/logout' },
} as const
