import type { Mutation } from './mutation.ts'

const endSession = 'oauth2/openid/end-session.ts'
const logout = { folder: 'oauth2/openid', test: 'end-session.test.ts' } as const
const byForm = {
  file: 'running/form-as-get.ts',
  folder: 'oauth2',
  test: 'authorization-endpoint.test.ts',
} as const

/** Logout that an application asks for: by which hint and to where. And forms, which decide nothing. */
export const ofLogout: Mutation[] = [
  {
    name: 'a logout is asked for with the hint of another client',
    file: endSession,
    find: 'if (hint && client_id !== undefined && hint.aud !== client_id) {',
    replace: 'if (hint && client_id === "") {',
    ...logout,
    title: 'takes the hint of the client that asks, and of no other one',
  },
  {
    name: 'a hint that this server has not signed is no fault',
    file: endSession,
    find: 'if (token !== undefined && !hint)',
    replace: 'if (token === "x" && !hint)',
    ...logout,
    title: 'takes no hint that this server has not signed',
  },
  {
    name: 'a logout leads to any address',
    file: endSession,
    find: 'client.postLogoutRedirectUris.includes(redirectUri)',
    replace: 'redirectUri !== ""',
    ...logout,
    title: 'redirects to what the operator lists for the client',
  },
  {
    name: 'a logout leads somewhere without a client',
    file: endSession,
    find: "  if (client === null) return 'A post_logout_redirect_uri needs the id_token_hint or the client_id.'\n",
    replace: '  if (client === null) return null\n',
    ...logout,
    title: 'asks the user also for an application that it does not know',
  },
  {
    name: 'the page of a logout believes its address',
    file: endSession,
    find: '  if (!equal(seal, sealOf(env, content))) return expired\n',
    replace: '',
    ...logout,
    title: 'is good for an hour, and as it is',
  },
  {
    name: 'the request of a logout does not expire',
    file: endSession,
    find: 'clock.now().getTime() - at < longestMillis ? asked : expired',
    replace: 'at > 0 ? asked : expired',
    ...logout,
    title: 'is good for an hour, and as it is',
  },
  {
    name: 'the page of a logout leads to an address that the client no longer has',
    file: endSession,
    find: '  if (fault !== null) throw refused(fault)\n',
    replace: '',
    ...logout,
    title: 'leads to an address only as long as the client has it',
  },
  {
    name: 'a logout is asked for where no client has an address for it',
    file: 'oauth2/openid/logout-routes.ts',
    find: "    if (!endsSessions(openidOf(c))) throw new NotFoundError({ resource: 'Route' })\n",
    replace: '',
    ...logout,
    title: 'has no logout endpoint',
  },
  {
    name: 'a form that a device has signed is redirected',
    find: ' || authorization !== undefined',
    replace: '',
    ...byForm,
    title: 'decides nothing by a form',
  },
  {
    name: 'forms are not counted',
    find: '      await authOf(c.server).limits.take(counted, clientAddress(c))\n',
    replace: '',
    ...byForm,
    title: 'takes 600 forms a minute from an address',
  },
]
