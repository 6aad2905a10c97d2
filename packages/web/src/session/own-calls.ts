/**
 * What the proxy calls by itself, as the route map has it. It doesn't import the map of all
 * operations: a host that starts with every request would load it each time.
 */
export const ownCalls = {
  getAuthSession: { method: 'GET', path: '/_auth/session' },
  logout: { method: 'POST', path: '/_auth/logout' },
} as const
