import type { Mutation } from './mutation.ts'

const reading = 'oauth2/identity-assertions/read-assertion.ts'
const redeeming = 'oauth2/identity-assertions/redeem-assertion.ts'
const giving = 'oauth2/grants/asserted.ts'
const folder = 'oauth2/identity-assertions'
const refusals = { folder, test: 'refusals.test.ts' } as const
const oneFault = { ...refusals, isTitleMade: true } as const
const ends = { folder, test: 'ends.test.ts' } as const
const race = { test: 'identity-assertion.test.ts' } as const

/** Assertions of identity providers: from whom, for whom, how often, and what ends what they gave. */
export const ofIdentityAssertions: Mutation[] = [
  {
    name: 'an assertion of an identity provider is redeemed again',
    file: redeeming,
    find: 'userId === null || !(await spendId(auth, spendable))',
    replace: 'userId === null || !spendable',
    ...race,
    title: 'R58:',
  },
  {
    name: 'a client that shows nothing but its id redeems an assertion',
    file: redeeming,
    find: "client.authMethod === 'none' && form.client_assertion === undefined",
    replace: "client.authMethod !== 'none' && form.client_assertion === undefined",
    ...refusals,
    title: 'that shows nothing but its id',
  },
  {
    name: 'an assertion of an identity provider gives any resource that is asked for',
    file: redeeming,
    find: '!asked || !allowed.includes(asked)',
    replace: '!asked',
    folder,
    test: 'redeem-assertion.test.ts',
    title: 'is for the resource that it names',
  },
  {
    name: 'an assertion of an identity provider gives scopes that it does not name',
    file: redeeming,
    find: "most.filter((name) => asserted.split(' ').includes(name))",
    replace: 'most',
    folder,
    test: 'redeem-assertion.test.ts',
    title: 'gives the scopes that it, the configuration and the request name',
  },
  {
    name: 'an identity provider speaks for clients of others',
    file: reading,
    find: 'issuer === null || !provider?.clients.has(clientId)',
    replace: 'issuer === null || !provider',
    ...refusals,
    title: 'if it is from another identity provider',
  },
  {
    name: 'an assertion of an identity provider is redeemed by another client',
    file: reading,
    find: " || claims['client_id'] !== clientId",
    replace: '',
    ...oneFault,
    title: 'if it is for another client',
  },
  {
    name: 'an assertion of an identity provider for another server is redeemed',
    file: reading,
    find: '!isForThisServer(auth, claims.aud) || ',
    replace: '',
    ...oneFault,
    title: 'if it is for another server',
  },
  {
    name: 'an assertion of an identity provider for several servers is redeemed',
    file: reading,
    find: 'audiences.length === 1 && ',
    replace: '',
    ...oneFault,
    title: 'if it is for other servers too',
  },
  {
    name: 'an id token is an assertion of an identity provider',
    file: reading,
    find: '    type: idJagType,\n',
    replace: '',
    ...oneFault,
    title: 'if it is an id token',
  },
  {
    name: 'an assertion of an identity provider is one of a client',
    file: 'oauth2/clients/signed-jwt.ts',
    find: 'type === undefined && ',
    replace: "type === '' && ",
    ...refusals,
    title: 'that shows who it is with an assertion of an identity provider',
  },
  {
    name: 'an assertion of an identity provider for a tenant is redeemed',
    file: reading,
    find: 'saysMore(claims) || ',
    replace: '',
    ...oneFault,
    title: 'if it belongs to a tenant',
  },
  {
    name: 'an assertion of an identity provider is redeemed without its key',
    file: reading,
    find: 'key !== null && cnf.jkt === key.thumbprint',
    replace: "typeof cnf.jkt === 'string'",
    ...oneFault,
    title: 'if it is bound to a key',
  },
  {
    name: 'an assertion of an identity provider gives access to an account that may not act',
    file: giving,
    find: "account?.status !== 'active'",
    replace: '!account',
    ...ends,
    isTitleMade: true,
    title: 'no assertion gives access, if the account is suspended',
  },
  {
    name: 'an assertion of an identity provider gives access behind the end of its link',
    file: giving,
    find: '(await auth.parts.linked(tx, elsewhere)) !== userId',
    replace: 'userId === null',
    ...race,
    title: 'gives nothing behind the end of the link',
  },
  {
    name: 'each assertion of an identity provider makes a grant',
    file: giving,
    find: 'if (found) return found',
    replace: "if (found === '') return found",
    ...race,
    title: 'makes one grant',
  },
  {
    name: 'an identity provider that is not trusted any more has given access',
    file: 'oauth2/grants/access.ts',
    find: ' || !isTrusted(auth, grant)',
    replace: '',
    ...ends,
    title: 'takes a client off the list of an identity provider',
  },
  {
    name: 'what an identity provider has given outlives the link',
    file: 'social/linking/unlinked.ts',
    find: '  await endAssertedGrants(tx, { userId, actor, ...from, now: at })\n',
    replace: '',
    ...ends,
    title: 'with an event and a line of the trail, when the link is removed',
  },
  {
    name: 'a grant is used again that the sweep deletes meanwhile',
    file: 'oauth2/grants/store.ts',
    find: "    .for('no key update')\n",
    replace: '',
    test: 'expired-grants.test.ts',
    title: 'is made again for an assertion',
  },
]
