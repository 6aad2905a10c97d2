import type { Mutation } from './mutation.ts'

const folder = 'oauth2/openid'
const through = { folder, test: 'openid.test.ts' } as const
const again = { folder, test: 'reauthenticate.test.ts' } as const

const ends = { folder, test: 'back-channel-logout.test.ts' } as const

/** Sign-ins at other applications: whom a code and a token are for, until when, and what the user must prove. */
export const ofOpenid: Mutation[] = [
  {
    name: 'the code of a sign-in is redeemed again',
    file: 'oauth2/openid/store.ts',
    find: "        eq(openidSignIns.state, 'offered'),\n",
    replace: '',
    test: 'openid.test.ts',
    title: 'R57:',
  },
  {
    name: 'the code of a sign-in does not expire',
    file: 'oauth2/openid/store.ts',
    find: '        gt(openidSignIns.expiresAt, now),\n',
    replace: '',
    ...through,
    title: 'is for its application, its redirect URI and its verifier',
  },
  {
    name: 'the code of a sign-in is for every client',
    file: 'oauth2/openid/redeem-sign-in.ts',
    find: 'if (offer?.clientId !== client.clientId) throw invalidGrant()',
    replace: 'if (!offer) throw invalidGrant()',
    ...through,
    title: 'is for its application, its redirect URI and its verifier',
  },
  {
    name: 'a code that was used twice leaves its token',
    file: 'oauth2/openid/redeem-sign-in.ts',
    find: 'if (row.startedAt && arrivedAt > row.startedAt) await endSignIn(auth.db, row)',
    replace: '',
    ...through,
    title: 'that is used again ends the token of the first use',
  },
  {
    name: 'a verifier is accepted without a challenge',
    file: 'oauth2/openid/redeem-sign-in.ts',
    find: '? verifier === undefined',
    replace: '? true',
    ...through,
    title: 'takes no verifier without a challenge',
  },
  {
    name: 'a code is worth something behind the sign-out of its device',
    file: 'oauth2/openid/redeem-sign-in.ts',
    find: 'if (!(await stillSigns(tx, account, offer))) return null',
    replace: '',
    ...through,
    title: 'is worth nothing after the device is signed out',
  },
  {
    name: 'a token of a sign-in outlives its device',
    file: 'oauth2/openid/userinfo.ts',
    find: "return row.state === 'active' && row.keyExpiresAt > auth.clock.now()",
    replace: 'return true',
    ...through,
    title: 'ends after an hour, with its device',
  },
  {
    name: 'an address that is not proved is told',
    file: 'oauth2/openid/userinfo.ts',
    find: 'email !== null && emailVerifiedAt !== null',
    replace: 'email !== null',
    ...through,
    title: 'says what its scopes allow, and no address that is not proved',
  },
  {
    name: 'a token that is bound to a key is read without it',
    file: 'oauth2/openid/userinfo.ts',
    find: 'return key?.thumbprint === row.keyThumbprint',
    replace: 'return true',
    folder,
    test: 'relying-parties.test.ts',
    title: 'signs a user in without a secret only with tokens that are bound',
  },
  {
    name: 'a proof of before the request answers prompt=login',
    file: 'oauth2/openid/reauthenticate.ts',
    find: 'return !isAsked && ageMillis',
    replace: 'return isAsked || ageMillis',
    ...again,
    title: 'asks a user who is signed in to prove it again',
  },
  {
    name: 'the time of a request is what its address says',
    file: 'oauth2/openid/reauthenticate.ts',
    find: 'const isOurs = equal(seal, sealOf(auth, fields, millis))',
    replace: 'const isOurs = true',
    ...again,
    title: 'takes no time that this server has not noted',
  },
  {
    name: 'an id token of another user is no hint',
    file: 'oauth2/openid/authorize-sign-in.ts',
    find: 'return hint?.sub === caller.user.publicId',
    replace: 'return hint !== undefined',
    ...again,
    title: 'means its user, also when it has expired',
  },
  {
    name: 'a client that is not trusted signs in without a page',
    file: 'oauth2/openid/authorize-sign-in.ts',
    find: 'return isQuiet && !isTrusted(auth, request.client) ? consentRequired : null',
    replace: 'return null',
    ...again,
    title: 'tells the client what is lacking',
  },
  {
    name: 'a logout token is taken for an id token',
    file: 'oauth2/id-tokens/id-tokens.ts',
    find: 'if (!key || typ !== undefined)',
    replace: 'if (!key)',
    ...ends,
    title: 'is no id_token_hint',
  },
  {
    name: 'a session at an application ends with the rotation of a key',
    file: 'oauth2/openid/sessions.ts',
    find: '.set({ keyId: to })',
    replace: '.set({ keyId: from })',
    ...ends,
    title: 'has one session with a device',
  },
]
