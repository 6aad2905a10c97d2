export interface Flags {
  server?: string
  'route-map'?: string
  name?: string
  out?: string
  check?: true
  routes?: true
  'fill-by-hand'?: true
  app?: string
  api?: string
  against?: string
  contract?: string
  'no-install'?: true
  env?: true
  'api-only'?: true
  from?: string
  report?: string
  'dry-run'?: true
  yes?: true
  json?: true
  approve?: true
  'emails-verified'?: true
  'firebase-hash-config'?: string
  'organizations-from'?: string
  'role-names'?: string
  heads?: string
  key?: string
  proofs?: true
  'from-time'?: string
  'to-time'?: string
  act?: string
  actor?: string
  target?: string
  input?: string
  output?: string
  'failure-output'?: string
  email?: string
  phone?: string
  'user-name'?: string
  role?: string
  status?: string
  limit?: string
  after?: string
  page?: string
  reason?: string
  device?: string
  job?: string
  state?: string
  'role-name'?: string
  'display-name'?: string
  description?: string
  priority?: string
  permissions?: string
  'organization-name'?: string
  'organization-state'?: string
  slug?: string
  member?: string
  user?: string
}

export type FlagName = keyof Flags

interface Flag {
  about: string
  /** The name on the command line, if another command uses this one for something else. */
  typed?: string
  /** Its value, as help shows it. A flag without it has no value. */
  value?: string
  /** The form of its value, as a pattern and in words. */
  made?: { of: RegExp; told: string }
}

// Another scheme, such as file:, means that the flag was misunderstood.
const address = {
  of: /^https?:\/\/[^\s/]/,
  told: 'an address such as https://app.example.com',
}

const moment = {
  of: /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/,
  told: 'a day or a moment, such as 2030-01-31 or 2030-01-31T12:00:00Z',
}

export const flags: Record<FlagName, Flag> = {
  check: { about: 'Write nothing; exit 1 if something would be written' },
  routes: { about: 'Write the route map only, and say whether tables changed' },
  'fill-by-hand': {
    about: 'Write a migration in which you set the value of a new NOT NULL column',
  },
  name: {
    value: '<name>',
    about: 'Name of the migration, such as add-orders',
    // It becomes part of a file's name.
    made: { of: /^\w[\w-]*$/, told: 'letters, digits, "-" and "_", such as add-orders' },
  },
  'no-install': { about: 'Do not run npm install' },
  env: { about: 'Add the missing ones to .env' },
  'api-only': { about: 'Run without the web app' },
  from: {
    value: '<system>',
    about: 'System that the export comes from; without it, a file with the columns of svc',
    made: {
      of: /^(?:own|csv|jsonl|better-auth|authjs|supabase|firebase|keycloak|django)$/,
      told: 'better-auth, authjs, supabase, firebase, keycloak, django, csv or jsonl',
    },
  },
  'dry-run': { about: 'Change nothing, and show what would happen to each row' },
  yes: { about: 'Do not ask' },
  json: { about: 'Print it as JSON' },
  report: { value: '<file>', about: 'Write the result of each row to a file, as JSON Lines' },
  'emails-verified': { about: 'Treat every address as verified if the export does not say so' },
  'firebase-hash-config': {
    value: '<file>',
    about: 'File with the hash_config that the Firebase console shows',
  },
  'organizations-from': {
    typed: 'from',
    value: '<system>',
    about: 'System that the export comes from; without it, a file with the columns of svc',
    made: {
      of: /^(?:own|better-auth|clerk|supabase)$/,
      told: 'better-auth, clerk or supabase',
    },
  },
  'role-names': {
    typed: 'roles',
    value: '<their=ours,…>',
    about: 'What roles of the other system are called here, such as editor=admin,viewer=member',
    made: {
      of: /^[\w:.-]+=[a-z][a-z0-9_-]*(?:,[\w:.-]+=[a-z][a-z0-9_-]*)*$/,
      told: 'pairs with commas between them, such as editor=admin,viewer=member',
    },
  },
  heads: { value: '<file>', about: 'Heads that you kept elsewhere: SVC_AUTH_AUDIT_HEADS_PATH' },
  key: { value: '<file>', about: 'Public keys of the trail, as "svc audit key" prints them' },
  proofs: { about: 'Check the signed requests of the rows too' },
  'from-time': {
    typed: 'from',
    value: '<time>',
    about: 'Rows of this time and later',
    made: moment,
  },
  'to-time': { typed: 'to', value: '<time>', about: 'Rows before this time', made: moment },
  act: { value: '<act>', about: 'Rows of this act, such as role.created' },
  actor: { value: '<user>', about: 'What this account did: its id or, with "audit list", address' },
  target: { value: '<id>', about: 'What was done to it' },
  approve: { about: 'Wait until you have approved the call in a browser' },
  input: { typed: 'json', value: '<input>', about: 'What the operation takes, or - to read it' },
  output: {
    value: '<format>',
    about: 'table, or json for scripts',
    made: { of: /^(?:table|json)$/, told: 'table or json' },
  },
  'failure-output': {
    typed: 'output',
    value: '<format>',
    about: 'json: a failure is printed as JSON too',
    made: { of: /^json$/, told: 'json' },
  },
  email: { value: '<text>', about: 'Users whose address begins with this' },
  phone: { value: '<text>', about: 'Users whose number begins with this' },
  'user-name': { typed: 'name', value: '<text>', about: 'Users whose name begins with this' },
  role: { value: '<role>', about: 'The name of a role' },
  status: {
    value: '<status>',
    about: 'active, suspended, pending_deletion or deleted',
    made: {
      of: /^(?:active|suspended|pending_deletion|deleted)$/,
      told: 'active, suspended, pending_deletion or deleted',
    },
  },
  limit: {
    value: '<number>',
    about: 'How many are listed, 100 at most',
    made: { of: /^(?:[1-9]\d?|100)$/, told: 'a number from 1 to 100' },
  },
  after: { value: '<place>', about: 'The next page: what the page before printed' },
  page: {
    value: '<number>',
    about: 'Which page; the first unless given',
    made: { of: /^[1-9]\d{0,5}$/, told: 'a number from 1' },
  },
  reason: { value: '<text>', about: 'Why: it is kept in the audit trail' },
  device: { value: '<key id>', about: 'This device alone, as "svc users show" lists it' },
  job: { value: '<name>', about: 'The name of a job, as "svc jobs queues" lists it' },
  state: {
    value: '<state>',
    about: 'waiting, running, failed, done or cancelled',
    made: {
      of: /^(?:waiting|running|failed|done|cancelled)$/,
      told: 'waiting, running, failed, done or cancelled',
    },
  },
  'role-name': { typed: 'name', value: '<name>', about: 'Another name for the role' },
  'display-name': { value: '<text>', about: 'What people call the role' },
  description: { value: '<text>', about: 'What the role is for' },
  priority: {
    value: '<number>',
    about: 'How high the role ranks, from 0 to 1000',
    made: { of: /^(?:\d{1,3}|1000)$/, told: 'a number from 0 to 1000' },
  },
  permissions: {
    value: '<names>',
    about: 'Permissions with commas between them, such as order:read,order:refund',
    made: {
      of: /^[\w.:-]+(?:,[\w.:-]+)*$/,
      told: 'names with commas between them, such as order:read,order:refund',
    },
  },
  'organization-name': {
    typed: 'name',
    value: '<text>',
    about: 'Organizations whose name begins with this',
  },
  slug: { value: '<text>', about: 'Organizations whose slug begins with this' },
  member: { value: '<user>', about: 'Organizations of this user' },
  'organization-state': {
    typed: 'state',
    value: '<state>',
    about: 'open or closed',
    made: { of: /^(?:open|closed)$/, told: 'open or closed' },
  },
  user: { value: '<user>', about: 'A member, by user id or whole address' },
  out: { value: '<file>', about: 'Write the document to a file' },
  against: { value: '<file>', about: 'The committed contract; the default is contract.json' },
  contract: { value: '<name>', about: 'Which contract, if the application has several' },
  server: { value: '<file>', about: 'File with the server definition as its default export' },
  app: { value: '<url>', about: 'Address of the web app in browsers', made: address },
  api: { value: '<url>', about: 'Address of the API', made: address },
  'route-map': { value: '<file>', about: 'File to write the route map to' },
}

/** The flag as it is typed, without its dashes. */
export const typed = (flag: FlagName) => flags[flag].typed ?? flag
