import {
  type EnvironmentSource,
  type Infrastructure,
  type Lifecycle,
  validateDefinition,
  validateEnvironment,
} from '@svc/core'
import { createNotifier, readNotificationEnv, type Templates } from '@svc/notification'
import { readAdminAccounts } from './admin-seed/read-admin-accounts.ts'
import { seedAdmins } from './admin-seed/seed-admins.ts'
import { readAppUrl } from './app-url.ts'
import { auditRetention } from './audit/audit-retention.ts'
import { type Auth, authOf, installAuth } from './auth.ts'
import { createStreamCredentials } from './authenticate/stream-credentials.ts'
import {
  type AuthorizationServerOptions,
  readAuthorizationServer,
} from './authorization-server/options.ts'
import { createKeyUse } from './caller/key-use.ts'
import { createCallerReader } from './caller/read-callers.ts'
import { configured, readsConfiguration } from './configure-auth.ts'
import { readKeyring } from './crypto/keyring.ts'
import { createPublicKeyCache } from './crypto/public-key-cache.ts'
import { createSignatureChecks } from './crypto/signature-checks.ts'
import type { ApplicationData } from './data-export/application-data.ts'
import { type DeletionOptions, readDeletion } from './deletion/deletion-options.ts'
import { deletionPurge } from './deletion/deletion-purge.ts'
import { createDecisions } from './device/decisions.ts'
import { type DeviceAuthOptions, readDeviceAuth } from './device/device-auth-options.ts'
import { readAuthEnv } from './env.ts'
import { endEverything } from './everyone/sign-out-everyone.ts'
import { forgetExpired } from './forget-expired.ts'
import { importExport } from './import/import-export.ts'
import { reportMissingRingKeys } from './keyring/keyring-use.ts'
import { createLimits } from './limits/limits.ts'
import { createLinkMail } from './link-mail/link-mail.ts'
import { linkMail, sendLinkMail } from './link-mail-job.ts'
import { readIssuer } from './mfa/issuer.ts'
import { notice } from './notices/notice-job.ts'
import { crossOriginOf } from './oauth2/cross-origin.ts'
import { keptSuccessors } from './oauth2/forget-successors.ts'
import { createClientKeys } from './oauth2-clients/client-keys.ts'
import { readRedirectUris } from './openid/redirect-uris.ts'
import { createBreachedPasswordLookup } from './passwords/breached-passwords.ts'
import { createPasswordCheck } from './passwords/password-check.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { createBuiltinProviders } from './providers/built-in.ts'
import { checkTokenEncryption } from './providers/check-token-encryption.ts'
import { readEndpoints } from './providers/endpoints.ts'
import { reportHalfSet } from './providers/report-half-set.ts'
import { revokeAllTokenPurge } from './revoke-all/token-purge.ts'
import { checkAskedPermissions } from './roles/check-asked-permissions.ts'
import { checkDeclarations, type RoleDeclarations } from './roles/check-declarations.ts'
import { declareRoles } from './roles/declare-roles.ts'
import { readResultPages } from './social/browser/result-pages.ts'
import { stateKey } from './social/browser/state.ts'
import { endStreams } from './streams/revocations.ts'
import { readRelyingParty } from './webauthn/relying-party.ts'

const anything = () => {}
readsConfiguration({
  beforeRegister: anything,
  beforeSend: anything,
  enforcePasswordChange: anything,
  freshProof: anything,
})

export interface AuthOptions extends RoleDeclarations {
  /** Signing in on a device without a keyboard. */
  deviceAuth?: DeviceAuthOptions
  /** Lets agents ask for access in somebody's name (OAuth 2.1). Without it, every route of it answers 404. */
  authorizationServer?: AuthorizationServerOptions
  /** How long a deleted account can be restored, and what becomes of it then. */
  deletion?: DeletionOptions
  /** What the application keeps of a user: it becomes `application` in the export of their data. */
  exportUserData?: ApplicationData
  /** Templates of mail that stand in for ours; with null, that mail is not sent. */
  templates?: Templates
}

/** All that reads the environment. */
const readers: ((source: EnvironmentSource) => unknown)[] = [
  readAuthEnv,
  readNotificationEnv,
  readAppUrl,
  readAdminAccounts,
  readKeyring,
  checkTokenEncryption,
  readResultPages,
  readEndpoints,
  readIssuer,
]

/** What the service does as a server starts: its variables are read before anything connects, its tables migrated. */
export function createAuthLifecycle(options: AuthOptions = {}): Lifecycle {
  return {
    name: 'svc-auth',
    migrations: { name: 'svc-auth', directory: new URL('../migrations/', import.meta.url) },
    jobs: { auditRetention, deletionPurge, forgetExpired, linkMail, notice, revokeAllTokenPurge },
    validateEnvironment(source) {
      validateEnvironment([
        ...readers.map((read) => () => read(source)),
        () => readDeviceAuth(options.deviceAuth),
        () => readDeletion(options.deletion),
        () => readAuthorizationServer(options.authorizationServer, source),
      ])
    },
    validateRoutes: (routes) =>
      validateDefinition([
        () => checkDeclarations(options),
        () => checkAskedPermissions(routes, options),
      ]),
    importUsers: importExport,
    signOutEveryone: ({ database: { db }, clock, onProgress }) =>
      endEverything({ db, clock }, onProgress),
    ...crossOriginOf(options.authorizationServer),
    streamCredentials: (server) => createStreamCredentials(authOf(server)),
    beforeShutdown: (server) => stopWaiting(authOf(server)),
    async afterInfrastructure(server, source) {
      const { auth, close } = openAuth(server, { source, options })
      try {
        await declareRoles(auth.db, options)
        await seedAdmins(auth, readAdminAccounts(source))
        await reportMissingRingKeys(auth)
        // What a server that is gone has left.
        await auth.successors.clear()
      } catch (error) {
        await close()
        throw error
      }
      const uninstall = installAuth(server, auth)
      const unsubscribe = endStreams(server)
      return async () => {
        unsubscribe()
        uninstall()
        await close()
      }
    },
  }
}

/** Ends waits that would delay the stop longer than a supervisor allows: polls for a decision, and callers in line. */
function stopWaiting({ decisions, passwords }: Auth) {
  decisions.close()
  passwords.closeLine()
}

interface Given {
  source: EnvironmentSource
  options: AuthOptions
}

function openAuth(server: Infrastructure, { source, options }: Given) {
  const { database, cache, clock, log, metrics } = server
  if (!database) throw new Error('Sign-in needs a database: set DATABASE_URL.')
  const env = readAuthEnv(source)
  const { db, pool } = database
  const rounds = env.SVC_AUTH_BCRYPT_SALT_ROUNDS
  const passwords = createPasswordHasher({
    scheme: env.SVC_AUTH_PASSWORD_SCHEME,
    rounds,
    waitMillis: env.SVC_AUTH_LOGIN_WAIT_MILLIS,
    log,
  })
  const hashes = { help: 'Passwords that are hashed, or wait to be.' }
  metrics?.gauge('svc_auth_hashes', hashes, () => passwords.placesTaken)
  const isBreached = env.SVC_AUTH_BREACHED_PASSWORDS
    ? createBreachedPasswordLookup({ url: env.SVC_AUTH_BREACHED_PASSWORDS_URL, log })
    : null
  const { templates = {} } = options
  const notifier = createNotifier({ env: readNotificationEnv(source), log, clock, templates })
  const delivery = env.SVC_AUTH_LINK_MAIL_DELIVERY
  const windowMillis = env.SVC_AUTH_CONCURRENT_USE_WINDOW_MS
  const keyUse = createKeyUse({ pool, clock, log, windowMillis })
  const publicKeys = createPublicKeyCache()
  const signatures = createSignatureChecks({ publicKeys, log })
  const successorMillis = env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000
  const successors = keptSuccessors({ db, clock, log, windowMillis: successorMillis })
  const authorizationServer = readAuthorizationServer(options.authorizationServer, source)
  const auth: Auth = {
    db,
    clock,
    cache,
    log,
    env,
    keyring: readKeyring(source),
    relyingParty: readRelyingParty(source),
    issuer: readIssuer(source),
    providers: createBuiltinProviders(source, { clock, env }),
    redirectUris: readRedirectUris(source),
    stateKey: stateKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET),
    resultPages: readResultPages(source),
    authorizationServer,
    successors,
    clientKeys: createClientKeys(clock, authorizationServer),
    appUrl: readAppUrl(source),
    passwords,
    checkPassword: createPasswordCheck(isBreached),
    limits: createLimits({ db, cache, clock, env }),
    notifier,
    linkMail: createLinkMail({
      delivery,
      log,
      enqueue: (order) => linkMail.enqueue(order),
      send: (order) => sendLinkMail(auth, order),
    }),
    callers: createCallerReader(pool),
    publicKeys,
    signatures,
    keyUse,
    deviceAuth: readDeviceAuth(options.deviceAuth),
    deletion: readDeletion(options.deletion),
    applicationData: options.exportUserData ?? null,
    decisions: createDecisions(),
  }
  reportHalfSet(source, { log })
  log.info({ requestBinding: env.SVC_AUTH_REQUEST_BINDING }, 'sign-in starts')
  if (configured().freshProof === 'letter') {
    log.warn('freshProof is `letter`: a stolen device is enough to let another one in')
  }
  const close = async () => {
    auth.decisions.close()
    await auth.linkMail.close()
    await successors.close()
    await Promise.all([keyUse.close(), passwords.close(), signatures.close(), notifier.close()])
  }
  return { auth, close }
}
