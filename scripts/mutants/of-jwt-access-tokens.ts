import type { Mutation } from './mutation.ts'

const folder = 'oauth2/access-tokens'
const through = { folder, test: 'jwt-access-tokens.test.ts' } as const
const attacks = { folder, test: 'attacks.test.ts' } as const
const configured = { folder, test: 'configuration.test.ts' } as const

const making = 'oauth2/grants/new-access-token.ts'
const reading = 'oauth2/access-tokens/jwt-resources.ts'

/** Access tokens that others check without asking: when one is issued, for how long, and what it says. */
export const ofJwtAccessTokens: Mutation[] = [
  {
    name: 'a JWT is issued although it is void',
    file: making,
    find: 'const account = liveHolder(auth, held, await holderOf(tx, auth, held))',
    replace: 'const account = await holderOf(tx, auth, held)',
    ...through,
    title: 'issues none that would be void',
  },
  {
    name: 'a JWT is issued for an organization that is closed',
    file: 'oauth2/grants/access.ts',
    find: 'if (grant.tenant !== null && !row.standing?.isProgram) return null',
    replace: '',
    testedIn: 'organizations',
    folder: 'service-accounts',
    test: 'jwt-access-tokens.test.ts',
    title: 'is followed by none while the organization is closed',
  },
  {
    name: 'a JWT lives as long as an opaque token',
    file: making,
    find: 'form ? form.lifetimeSeconds * 1000 : accessMillis',
    replace: 'accessMillis',
    ...through,
    title: 'lives five minutes',
  },
  {
    name: 'an exchanged token outlives the one that it was given for',
    file: making,
    find: 'Math.min(millis, notAfter?.getTime() ?? millis)',
    replace: 'millis',
    ...through,
    title: 'gives one for an exchange',
  },
  {
    name: 'two JWTs are the same token',
    file: making,
    find: 'jti: newToken(),',
    replace: "jti: 'x'.repeat(43),",
    ...through,
    title: 'has an id of its own',
  },
  {
    name: 'a JWT is longer than a header can be',
    file: making,
    find: 'token.length > longestToken',
    replace: 'false',
    ...attacks,
    title: 'gets no longer token than a header can carry',
  },
  {
    name: 'an access token has no type of its own',
    file: 'oauth2/id-tokens/id-tokens.ts',
    find: "return signed(key, claims, 'at+jwt')",
    replace: 'return signed(key, claims)',
    ...through,
    title: 'is signed, has its own type',
  },
  {
    name: 'a JWT does not name the key that it is bound to',
    file: 'oauth2/grants/claims.ts',
    find: '    ...(jkt !== null && { cnf: { jkt } }),\n',
    replace: '',
    ...through,
    title: 'names the key that it is bound to',
  },
  {
    name: 'a token of a resource elsewhere opens one of this API',
    file: 'oauth2/verify-access-token.ts',
    find: 'return named === grant.resource',
    replace: 'return true',
    ...attacks,
    title: 'opens no resource of it',
  },
  {
    name: 'a JWT is signed by any key',
    file: reading,
    find: 'const key = keys && keyFor(keys, algorithm)',
    replace: 'const key = keys && keyFor(keys)',
    ...through,
    title: 'is signed by the algorithm of its resource',
  },
  {
    name: 'a path of this API has JWTs',
    file: reading,
    find: '!(resources.includes(resource) && URL.canParse(resource))',
    replace: '!resources.includes(resource)',
    ...configured,
    title: 'with a path of this API',
    isTitleMade: true,
  },
  {
    name: 'a JWT lives as long as an operator writes',
    file: reading,
    find: ' && seconds >= 60 && seconds <= 3600',
    replace: '',
    ...configured,
    title: 'with a life over an hour',
    isTitleMade: true,
  },
  {
    name: 'the start does not say what JWTs give up',
    file: 'oauth2/capability.ts',
    find: '      tellOfJwts({ jwtResources, log })\n',
    replace: '',
    ...configured,
    title: 'says in its log what is given up',
  },
  {
    name: 'a JWT is issued for a device that is signed out while the request waits',
    file: making,
    find: 'if (!account || keyId === null) return account',
    replace: 'if (account) return account',
    test: 'jwt-access-tokens.test.ts',
    title: 'gives no JWT, if it is the device',
  },
]
