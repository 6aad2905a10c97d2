import type { Mutation } from './mutation.ts'

const file = 'oauth2/device-grant/store.ts'
const through = { folder: 'oauth2/device-grant', test: 'device-grant.test.ts' } as const
const byUser = { folder: 'oauth2/device-grant', test: 'decide.test.ts' } as const
const redeeming = 'oauth2/device-grant/redeem-device-code.ts'

/** Codes of programs without a browser: decided once, by whom, polled how often, and redeemed by whom. */
export const ofDeviceGrant: Mutation[] = [
  {
    name: 'a device code is decided again',
    file,
    find: "and(eq(requests.state, 'pending'), gt(requests.expiresAt, now))",
    replace: 'gt(requests.expiresAt, now)',
    ...byUser,
    title: 'decides once',
  },
  {
    name: 'a device code is decided in its last moment and after it',
    file,
    find: "and(eq(requests.state, 'pending'), gt(requests.expiresAt, now))",
    replace: "eq(requests.state, 'pending')",
    ...through,
    title: 'learns that its code has expired after ten minutes',
  },
  {
    name: 'a device code is decided by a user who was not the first to look at it',
    file: 'claimed-code.ts',
    find: 'or(isNull(requests.claimedBy), eq(requests.claimedBy, userId))',
    replace: 'or(isNull(requests.claimedBy), isNotNull(requests.claimedBy))',
    ...byUser,
    title: 'is the only one who can see it from the first look on',
  },
  {
    name: 'a device code is polled at any time',
    file,
    find: '        or(isNull(lastPolledAt), lte(dueAt, now)),\n',
    replace: '',
    ...through,
    title: 'that comes too soon makes the interval longer',
  },
  {
    name: 'the interval of a device code does not grow',
    file,
    find: '${intervalSeconds} + ${slowerSeconds}',
    replace: '${intervalSeconds} + 0 * ${slowerSeconds}',
    ...through,
    title: 'that comes too soon makes the interval longer',
  },
  {
    name: 'a device code is redeemed with another key than it was polled with',
    file: redeeming,
    find: '  if (asked.keyThumbprint !== null) checkKey(request, asked)\n',
    replace: '',
    ...through,
    title: 'is redeemed only with the key that it was polled with first',
  },
  {
    name: 'a device code is redeemed by another client',
    file: redeeming,
    find: '  if (found?.clientId !== client.clientId) throw invalidGrant()',
    replace: '  if (!found) throw invalidGrant()',
    ...through,
    title: 'with another client’s code, or none, is an invalid grant',
  },
  {
    name: 'a client shows codes that has not declared the grant',
    file: 'oauth2/device-grant/authorize-device.ts',
    find: '  if (!client.hasDeviceGrant) throw undeclared()\n',
    replace: '',
    ...through,
    title: 'has to declare the grant',
  },
  {
    name: 'a device code is redeemed after its time',
    file: redeeming,
    find: '    if (offer.codeExpiresAt <= auth.clock.now()) throw expired()\n',
    replace: '',
    ...through,
    title: 'learns that its code has expired after ten minutes',
  },
  {
    name: 'a device code is redeemed more than once',
    file: 'oauth2/grants/store.ts',
    find: "        eq(oauth2Grants.state, 'offered'),\n",
    replace: '',
    test: 'device-grant.test.ts',
    title: 'R56:',
  },
  {
    name: 'a code is allowed without a fresh proof',
    file: 'oauth2/device-grant/decide-request.ts',
    find: 'caller: requireFresh(auth, caller, asked)',
    replace: 'caller: caller as FreshCaller',
    ...byUser,
    title: 'gives a fresh proof to allow it',
  },
  {
    name: 'guesses of a code are not counted by account',
    file: 'oauth2/device-grant/decide-request.ts',
    find: "  await auth.limits.take('oauth2 device code by account', caller.userId)\n",
    replace: '',
    ...byUser,
    title: 'an account may look for ten in a minute',
  },
  {
    name: 'guesses of a code are not counted by address',
    file: 'oauth2/device-grant/decide-request.ts',
    find: "  await auth.limits.take('oauth2 device code by address', origin.address)\n",
    replace: '',
    ...byUser,
    title: 'an address may look for fifty in a minute',
  },
  {
    name: 'the mail about an agent leaves out where it is redirected, if that is its document',
    file: 'oauth2/grants/tell-of-grant.ts',
    find: "codeChallenge !== ''",
    replace: "codeChallenge === ''",
    folder: 'oauth2/grants',
    test: 'tell-of-grant.test.ts',
    title: 'keep that host out of the mail',
  },
]
