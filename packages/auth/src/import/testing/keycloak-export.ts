/** The id of a person, in the systems that have UUIDs. */
export const id = (digit: number) => `${digit}1f0b7e2-6c1d-4d8e-9a55-0c1d2e3f4a5b`

// The credential is one that Keycloak 25 has made of "password".
const keycloakPbkdf2 = {
  type: 'password',
  secretData:
    '{"value":"JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=","salt":"P5rtFkGtPfoaryJ6PizUJw==","additionalParameters":{}}',
  credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256","additionalParameters":{}}',
}

export const keycloakArgon2 = {
  type: 'password',
  secretData:
    '{"value":"BruFLfFkjH/8erZ26NnrbkOrWiZuQyDRCHD9o0R6Scg=","salt":"Cf9AYCE5pAbb4CKEF0GUTA==","additionalParameters":{}}',
  credentialData:
    '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}',
}

export const keycloakSha512 = {
  type: 'password',
  secretData:
    '{"value":"5IL4kCCyOerhaEHfdK1BbjYxO6HitYLRtJOxwD8MUZH5wCgc1edmf35rWiP9sRxEwnQDstxch8twKh08Usi1fQ==","salt":"JaBKqx57IIB/dLDTpWBu+Q==","additionalParameters":{}}',
  credentialData: '{"hashIterations":210000,"algorithm":"pbkdf2-sha512","additionalParameters":{}}',
}

export const keycloak = {
  realm: 'acme',
  users: [
    {
      id: id(1),
      username: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      enabled: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      createdTimestamp: 1714557600000,
      attributes: { locale: ['en-gb'] },
      credentials: [{ type: 'otp', secretData: '{}' }, keycloakPbkdf2],
      realmRoles: ['default-roles-acme'],
    },
    {
      id: id(2),
      username: 'grace@example.com',
      email: 'grace@example.com',
      emailVerified: false,
      enabled: true,
      firstName: 'Grace',
      lastName: 'Hopper',
      createdTimestamp: 1717236000000,
      federatedIdentities: [
        { identityProvider: 'google', userId: '10769150350006150715113082367', userName: 'grace' },
      ],
    },
    {
      id: id(3),
      username: 'mallory',
      email: 'mallory@example.com',
      enabled: false,
      createdTimestamp: 1719828000000,
    },
    { id: id(4), username: 'service-account-api', enabled: true, serviceAccountClientId: 'api' },
  ],
  clients: [],
}
