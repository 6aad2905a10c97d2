import type { EnvironmentSource, Infrastructure } from '@svc/core'
import {
  createNotifier,
  type MailBrand,
  readNotificationEnv,
  type Templates,
} from '@svc/notification'
import { readAppUrl } from '../app-url.ts'
import type { Auth } from '../auth.ts'
import {
  createAccountReader,
  createCallerReader,
  createKeyUse,
  createLockedAccountReader,
  createOwnerReader,
  type StandingReader,
} from '../caller/caller.ts'
import type { RunningParts } from '../capability/capability.ts'
import { type ApiConfiguration, configured } from '../configure-auth.ts'
import { createPublicKeyCache, createSignatureChecks, readKeyring } from '../crypto/crypto.ts'
import { type AuthEnv, readAuthEnv } from '../env.ts'
import type { LimitTable } from '../limits/contract.ts'
import { createLimits } from '../limits/limits.ts'
import { createLinkMail } from '../link-mail/link-mail.ts'
import {
  createBreachedPasswordLookup,
  createPasswordCheck,
  createPasswordHasher,
} from '../passwords/passwords.ts'
import { readRelyingParty } from '../webauthn/webauthn.ts'
import { linkMail, sendLinkMail } from './link-mail-job.ts'

interface Given {
  readonly source: EnvironmentSource
  readonly templates: Templates
  readonly brand: MailBrand | undefined
  readonly limits: LimitTable
  readonly parts: RunningParts
  readonly configuration: ApiConfiguration
  readonly rolesAtGates: ReadonlySet<string>
  readonly appActs: ReadonlySet<string>
  readonly takesMessageSignatures: boolean
  readonly standing: StandingReader | undefined
}

/** What all capabilities share, and what authenticates a signed request. */
export function openAuth(
  server: Infrastructure,
  { source, templates, brand, limits: table, configuration, standing, ...given }: Given,
): Auth {
  const { database, cache, clock, limitHits: hits, log } = server
  if (!database) throw new Error('Sign-in needs a database: set DATABASE_URL.')
  const env = readAuthEnv(source)
  const { db, pool } = database
  const windowMillis = env.SVC_AUTH_CONCURRENT_USE_WINDOW_MS
  const publicKeys = createPublicKeyCache()
  return {
    db,
    clock,
    cache,
    log,
    env,
    configuration: () => ({ ...configured(), ...configuration }),
    keyring: readKeyring(source),
    relyingParty: readRelyingParty(source),
    appUrl: readAppUrl(source),
    ...openPasswords(server, env),
    limits: createLimits({ db, cache, clock, env, hits, table }),
    notifier: createNotifier({ env: readNotificationEnv(source), log, clock, templates, brand }),
    linkMail: createLinkMail({
      delivery: env.SVC_AUTH_LINK_MAIL_DELIVERY,
      log,
      enqueue: (order) => linkMail.enqueue(order),
      send: (order) => sendLinkMail(db, order),
    }),
    ...given,
    callers: createCallerReader(pool, { rolesAtGates: given.rolesAtGates, standing, clock }),
    hasTenants: standing !== undefined,
    accounts: createAccountReader(pool, { standing, clock }),
    lockedAccounts: createLockedAccountReader({ standing, clock }),
    owners: createOwnerReader(pool, { standing, clock }),
    publicKeys,
    signatures: createSignatureChecks({ publicKeys, log }),
    keyUse: createKeyUse({ pool, clock, log, windowMillis }),
  }
}

function openPasswords({ log, metrics }: Infrastructure, env: AuthEnv) {
  const passwords = createPasswordHasher({
    scheme: env.SVC_AUTH_PASSWORD_SCHEME,
    rounds: env.SVC_AUTH_BCRYPT_SALT_ROUNDS,
    waitMillis: env.SVC_AUTH_LOGIN_WAIT_MILLIS,
    nice: env.SVC_AUTH_HASH_NICE,
    log,
  })
  const hashes = { help: 'Passwords that are hashed, or wait to be.' }
  metrics?.gauge('svc_auth_hashes', hashes, () => passwords.placesTaken)
  const isBreached = env.SVC_AUTH_BREACHED_PASSWORDS
    ? createBreachedPasswordLookup({ url: env.SVC_AUTH_BREACHED_PASSWORDS_URL, log })
    : null
  return { passwords, checkPassword: createPasswordCheck(isBreached) }
}

export async function closeAuth({ keyUse, passwords, signatures, notifier }: Auth) {
  await Promise.all([keyUse.close(), passwords.close(), signatures.close(), notifier.close()])
}
