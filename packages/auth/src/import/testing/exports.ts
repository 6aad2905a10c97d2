import { id, keycloak } from './keycloak-export.ts'

// Exports as the systems write them, each with the same people: Ada has a password, Grace a Google
// account and no password, and one person is locked out. The passwords' hashes are those of
// ../passwords/foreign/foreign-hash.test.ts.

const adaPassword = 'Grün & 72 bytes'
const betterAuthHash =
  '782f7de3667a27900669176d766480f7:5d6cb1daaf5a0726a81a5720e3f58194eeabba7e5f9c7cff1a2b0045eec2db1d33338f4d89fc5f79faae99f03c3cdf4a586979cd2755cdf43fa5f2a6cb03668b'
const bcryptHash = '$2b$05$zg636yHxGQYglo/5KJS11OmbExETEcLqHBZfaQ7bOr4ZfCHFmfqeW'

export interface TestExport {
  from: string
  container: 'csv' | 'jsonl' | 'json'
  text: string
  password: string
  /** Options of the command. */
  options?: Record<string, string>
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

const cell = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const csv = (header: string, ...rows: unknown[][]) =>
  [header, ...rows.map((row) => row.map(cell).join(','))].join('\n')

const betterAuthUsers = [
  {
    id: 'ada',
    name: 'Ada Lovelace',
    email: 'Ada@Example.com',
    emailVerified: true,
    image: 'https://example.com/ada.png',
    createdAt: '2024-05-01T10:00:00.000Z',
    username: 'ada',
    banned: false,
  },
  {
    id: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    emailVerified: false,
    image: null,
    createdAt: '2024-06-01T10:00:00.000Z',
    banned: null,
  },
  {
    id: 'mallory',
    name: 'Mallory',
    email: 'mallory@example.com',
    emailVerified: true,
    createdAt: '2024-07-01T10:00:00.000Z',
    banned: true,
    banExpires: null,
  },
]
const betterAuthAccounts = [
  { id: '1', accountId: 'ada', providerId: 'credential', userId: 'ada', password: betterAuthHash },
  { id: '2', accountId: '10769150350006150715113082367', providerId: 'google', userId: 'grace' },
  {
    id: '3',
    accountId: 'mallory',
    providerId: 'credential',
    userId: 'mallory',
    password: betterAuthHash,
  },
]

const django = csv(
  'id,password,last_login,is_superuser,username,first_name,last_name,email,is_staff,is_active,date_joined',
  [
    1,
    'pbkdf2_sha256$20000$seasaltseasalt$DsYvpou9FatX5ltPG1ofdrQNCFFKcTfMZL1XtpyWQlw=',
    '',
    'f',
    'ada',
    'Ada',
    'Lovelace',
    'ada@example.com',
    'f',
    't',
    '2024-05-01 10:00:00+00',
  ],
  [
    2,
    '!Xy7',
    '',
    'f',
    'grace@navy',
    'Grace',
    'Hopper',
    'grace@example.com',
    'f',
    't',
    '2024-06-01 10:00:00.25+00',
  ],
  [
    3,
    bcryptHash,
    '',
    't',
    'root',
    '',
    '',
    'mallory@example.com',
    't',
    'f',
    '2024-07-01 10:00:00+00',
  ],
)

const authjsUsers = [
  {
    id: 'ada',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    emailVerified: '2024-05-01T10:00:00.000Z',
    image: null,
    password: bcryptHash,
  },
  {
    id: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    emailVerified: null,
    accounts: [
      {
        userId: 'grace',
        type: 'oidc',
        provider: 'google',
        providerAccountId: '10769150350006150715113082367',
      },
    ],
  },
]

const supabase = csv(
  'instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,raw_app_meta_data,raw_user_meta_data,created_at,phone,phone_confirmed_at,banned_until,deleted_at,is_anonymous,identities',
  [
    '',
    id(1),
    'authenticated',
    'authenticated',
    'ada@example.com',
    bcryptHash,
    '2024-05-01 10:00:00.123456+00',
    { provider: 'email' },
    { full_name: 'Ada Lovelace' },
    '2024-05-01 10:00:00+00',
    '12025550142',
    '2024-05-01 10:00:00+00',
    '',
    '',
    'f',
    [{ provider: 'email', provider_id: id(1) }],
  ],
  [
    '',
    id(2),
    'authenticated',
    'authenticated',
    'grace@example.com',
    '',
    '',
    {},
    { name: 'Grace Hopper' },
    '2024-06-01 10:00:00+00',
    '',
    '',
    '',
    '',
    'f',
    [
      { provider: 'google', provider_id: '10769150350006150715113082367' },
      { provider: 'discord', provider_id: '1' },
    ],
  ],
  [
    '',
    id(3),
    'authenticated',
    'authenticated',
    'mallory@example.com',
    bcryptHash,
    '',
    {},
    {},
    '2024-07-01 10:00:00+00',
    '',
    '',
    '2124-01-01 00:00:00+00',
    '',
    'f',
    [],
  ],
  [
    '',
    id(4),
    'authenticated',
    'authenticated',
    'gone@example.com',
    '',
    '',
    {},
    {},
    '2024-07-01 10:00:00+00',
    '',
    '',
    '',
    '2024-08-01 00:00:00+00',
    'f',
    [],
  ],
  [
    '',
    id(5),
    'authenticated',
    'authenticated',
    '',
    '',
    '',
    {},
    {},
    '2024-07-01 10:00:00+00',
    '',
    '',
    '',
    '',
    't',
    [],
  ],
)

const firebase = {
  users: [
    {
      localId: 'Zk1',
      email: 'ada@example.com',
      emailVerified: true,
      passwordHash:
        'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC+ixf3L2lw==',
      displayName: 'Ada Lovelace',
      phoneNumber: '+12025550142',
      createdAt: '1714557600000',
      providerUserInfo: [{ providerId: 'password', rawId: 'ada@example.com' }],
    },
    {
      localId: 'Zk2',
      email: 'grace@example.com',
      emailVerified: false,
      createdAt: '1717236000000',
      displayName: 'Grace Hopper',
      providerUserInfo: [
        {
          providerId: 'google.com',
          rawId: '10769150350006150715113082367',
          email: 'grace@example.com',
        },
      ],
    },
    {
      localId: 'Zk3',
      email: 'mallory@example.com',
      disabled: true,
      createdAt: '1719828000000',
      providerUserInfo: [],
    },
  ],
}

const firebaseHashConfig = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}
`

export const testExports: TestExport[] = [
  {
    from: 'better-auth',
    container: 'json',
    text: json({ user: betterAuthUsers, account: betterAuthAccounts }),
    password: adaPassword,
  },
  {
    from: 'better-auth',
    container: 'jsonl',
    text: betterAuthUsers
      .map((user) =>
        JSON.stringify({
          ...user,
          accounts: betterAuthAccounts.filter(({ userId }) => userId === user.id),
        }),
      )
      .join('\r\n'),
    password: adaPassword,
  },
  {
    from: 'better-auth',
    container: 'csv',
    text: csv(
      'id,name,email,email_verified,created_at,banned,accounts',
      ...betterAuthUsers.map(({ id: userId, name, email, emailVerified, createdAt, banned }) => [
        userId,
        name,
        email,
        emailVerified ? 't' : 'f',
        createdAt,
        banned ? 't' : 'f',
        betterAuthAccounts.filter((each) => each.userId === userId),
      ]),
    ),
    password: adaPassword,
  },
  { from: 'authjs', container: 'json', text: json(authjsUsers), password: adaPassword },
  { from: 'supabase', container: 'csv', text: supabase, password: adaPassword },
  {
    from: 'firebase',
    container: 'json',
    text: json(firebase),
    password: 'user1password',
    options: { firebase: firebaseHashConfig },
  },
  { from: 'keycloak', container: 'json', text: json(keycloak), password: 'password' },
  { from: 'django', container: 'csv', text: django, password: adaPassword },
  {
    from: 'own',
    container: 'csv',
    text: csv(
      'externalId,email,emailVerified,displayName,createdAt,suspended,passwordHash,google,role',
      [
        '1',
        'ada@example.com',
        'true',
        'Ada "the Countess" Lovelace,\nof London',
        '2024-05-01',
        '',
        bcryptHash,
        '',
        'admin',
      ],
      ['2', 'grace@example.com', '', 'Grace', '', '', '', '10769150350006150715113082367', ''],
      ['3', 'mallory@example.com', '', '', '', 'yes', '', '', ''],
    ),
    password: adaPassword,
  },
]
