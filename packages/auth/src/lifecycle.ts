import {
  catalogueErrors,
  defineEnv,
  type EnvironmentSource,
  type Infrastructure,
  type Lifecycle,
  type MigrationSource,
  validateDefinition,
  validateEnvironment,
} from '@svc/core'
import {
  type AnyMail,
  createMailLifecycle,
  type MailBrand,
  readNotificationEnv,
  type Templates,
} from '@svc/notification'
import { readAdminAccounts, reportMissingSuperadmin, seedAdmins } from './admin-seed/admin-seed.ts'
import { readAppUrl } from './app-url.ts'
import { authOf, type Needs } from './auth.ts'
import { createStreamCredentials, messageCredential } from './authenticate/authenticate.ts'
import { authCapabilities, type CapabilityOptions } from './capabilities.ts'
import type { Capability, LinkPlan } from './capability/capability.ts'
import { type ApiConfiguration, readsConfiguration } from './configure-auth.ts'
import { readKeyring } from './crypto/crypto.ts'
import { readAuthEnv } from './env.ts'
import { errorMessages } from './error-messages.ts'
import { forgetExpired } from './forget-expired.ts'
import { importExport, importersOf } from './import/import.ts'
import { reportMissingRingKeys } from './keyring/keyring.ts'
import { checkMachines, type MachineOptions } from './machine-keys/machine-keys.ts'
import { noticeJob } from './notices/notices.ts'
import {
  checkAskedPermissions,
  checkDeclarations,
  declareRoles,
  type RoleDeclarations,
  rolesAtGates,
} from './roles/roles.ts'
import {
  checkCapabilities,
  checkMigrations,
  checkServed,
  checkTenants,
  everyoneParts,
  linkMail,
  rooms,
  runningOn,
  startCapabilities,
} from './running/running.ts'
import { endEverything } from './sign-out/sign-out.ts'
import { endStreams } from './streams/streams.ts'
import { terminal } from './terminal/terminal.ts'
import { auditTrail } from './trail/trail.ts'

const anything = () => {}
readsConfiguration({
  beforeRegister: anything,
  beforeSend: anything,
  enforcePasswordChange: anything,
  freshProof: anything,
})

/** The settings of sign-in on one server. */
export interface AuthOptions extends RoleDeclarations, CapabilityOptions, ApiConfiguration {
  /** Further capabilities. Give their contracts to `createAuthRouter({ contracts })`. */
  capabilities?: readonly Capability[]
  /** Your templates of mail in place of ours; with null, that mail is not sent. */
  templates?: Templates
  /** The name and the logo of your product, above each mail of sign-in. */
  brand?: MailBrand
  /** What programs may do with their machine keys. */
  machines?: MachineOptions
}

/** All readers of the environment, except those of the capabilities. */
const readers: ((source: EnvironmentSource) => unknown)[] = [
  readNotificationEnv,
  readAppUrl,
  readAdminAccounts,
  readKeyring,
]

/**
 * What the service does as a server starts: it reads its variables before anything connects, and
 * migrates its tables.
 */
export function createAuthLifecycle(options: AuthOptions = {}): Lifecycle {
  catalogueErrors(errorMessages)
  const { capabilities: further = [], templates = {}, brand, machines = {} } = options
  const capabilities = [...authCapabilities(options), ...further]
  const all = capabilities.map(({ parts }) => parts)
  const declared = withPermissions(options, capabilities)
  const unopened = all.map(({ account = {} }) => ({ account, held: {} }))
  const mailing = createMailLifecycle(mailsOf(all), { name: 'auth.mail', brand })
  let atGates: ReadonlySet<string> = new Set()
  const own = { name: 'svc-auth', directory: new URL('../migrations/', import.meta.url) }
  return {
    name: 'svc-auth',
    migrations: [own, ...capabilities.flatMap(migrationsOf)],
    jobs: Object.assign(
      { forgetExpired, linkMail, notice: noticeJob },
      mailing.jobs,
      ...all.map(({ jobs }) => jobs),
    ),
    validateEnvironment(source) {
      const read = [
        readAuthEnv,
        ...all.map(({ env = {} }) => defineEnv(env)),
        ...readers,
        ...all.flatMap(({ check = [] }) => check),
      ]
      validateEnvironment(read.map((each) => () => void each(source)))
    },
    validateRoutes(routes) {
      atGates = rolesAtGates(routes)
      validateDefinition([
        () => checkMachines(machines),
        () => checkCapabilities(capabilities),
        () => checkMigrations(further),
        () => checkServed(routes, capabilities),
        () => checkTenants(routes, capabilities),
        () => checkDeclarations(declared),
        () => checkAskedPermissions(routes, declared),
      ])
    },
    importUsers: importExport,
    imports: importersOf(capabilities),
    auditTrail,
    terminal,
    signOutEveryone: ({ database: { db }, clock, onProgress }) =>
      endEverything({ db, clock, parts: everyoneParts([rooms, ...unopened]) }, onProgress),
    crossOrigin: all.flatMap(({ crossOrigin }) => crossOrigin ?? []),
    ...(machines.messageSignatures && { credentials: { requestJwt: messageCredential } }),
    streamCredentials: (server) => createStreamCredentials(authOf(server)),
    beforeShutdown: stopWaiting,
    async afterInfrastructure(server, source) {
      const stop = await startCapabilities(server, {
        source,
        templates,
        brand,
        capabilities,
        configuration: configurationOf(options),
        rolesAtGates: atGates,
        takesMessageSignatures: machines.messageSignatures === true,
        appActs: new Set(further.flatMap(({ parts }) => parts.audit ?? [])),
        async prepare(auth) {
          tellOfStart(auth)
          await declareRoles(auth.db, declared)
          await seedAdmins(auth, readAdminAccounts(source))
          await reportMissingSuperadmin(auth)
          await reportMissingRingKeys(auth)
        },
      })
      const stopMail = await mailing.afterInfrastructure?.(server, source)
      const unsubscribe = endStreams(server)
      return async () => {
        unsubscribe()
        await stop()
        await stopMail?.()
      }
    },
  }
}

function migrationsOf({
  contract: { name },
  parts: { migrations, tables },
}: Capability): MigrationSource[] {
  if (!migrations) return []
  const source = migrations instanceof URL ? { name, directory: migrations } : migrations
  return [{ ...source, ...(tables && { tables }) }]
}

/** Every mail of the capabilities: those of their links, and others. */
function mailsOf(all: readonly Capability['parts'][]): AnyMail[] {
  const mails = all.flatMap(({ links = {}, mails: further = [] }) => [
    ...Object.values<LinkPlan>(links).map(({ mail }) => mail),
    ...further,
  ])
  return [...new Set(mails)]
}

/** The declarations of the application, with the permissions of the capabilities. */
function withPermissions(
  options: AuthOptions,
  capabilities: readonly Capability[],
): RoleDeclarations {
  const { permissions = [] } = options
  return {
    ...options,
    permissions: [...capabilities.flatMap(({ parts }) => parts.permissions ?? []), ...permissions],
  }
}

/** An option that is left out does not hide what `configureAuth` has set. */
function configurationOf(options: ApiConfiguration): ApiConfiguration {
  const { beforeRegister, beforeSend, enforcePasswordChange, freshProof } = options
  return {
    ...(beforeRegister && { beforeRegister }),
    ...(beforeSend && { beforeSend }),
    ...(enforcePasswordChange !== undefined && { enforcePasswordChange }),
    ...(freshProof && { freshProof }),
  }
}

function tellOfStart({ log, env, configuration }: Needs<'log' | 'env' | 'configuration'>) {
  log.info({ requestBinding: env.SVC_AUTH_REQUEST_BINDING }, 'sign-in starts')
  if (configuration().freshProof === 'letter') {
    log.warn('freshProof is `letter`: an attacker with a stolen device can approve another one')
  }
}

/**
 * Ends waits that would delay the stop longer than a supervisor allows: polls for a decision, and
 * queued callers.
 */
function stopWaiting(server: Infrastructure) {
  const { db, passwords } = authOf(server)
  for (const { capability, opened } of runningOn(db)) capability.parts.stopWaiting?.(opened)
  passwords.endWaiting()
}
