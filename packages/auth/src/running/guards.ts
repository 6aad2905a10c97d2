import {
  clientAddress,
  DefinitionError,
  defineMiddleware,
  type Middleware,
  TooManyRequestsError,
} from '@svc/core'
import type { ContractPlace } from '@svc/core/contract'
import { authOf } from '../auth.ts'
import {
  authenticate,
  authenticateDevice,
  contractDocuments,
  deviceCredentials,
  optionalAuth,
} from '../authenticate/authenticate.ts'
import {
  forbidSupport,
  noteCounted,
  personOrNobody,
  placeOf,
  requirePerson,
} from '../caller/caller.ts'
import type { Access, Counted, ForSupport, Tenant } from '../capability/contract.ts'
import { requireProof, requireProofForSome, requireStepUp } from '../fresh-proof/fresh-proof.ts'
import { deviceContract } from '../proof/proof.ts'
import { requirePermissions, requireRole } from '../roles/roles.ts'
import { namesTenant, requireStanding } from '../standing/standing.ts'

/**
 * Responses of the service are about one caller at one time, and some contain a secret that is
 * shown once.
 */
const noStore = defineMiddleware(
  'auth-no-store',
  (c, next) => {
    c.header('cache-control', 'no-store')
    return next()
  },
  { documents: {} },
)

const ofDevices = { ...deviceContract, documents: contractDocuments }
const signedOnDevice = { ...authenticateDevice, documents: deviceCredentials }

type LimitOfAddress = Exclude<Counted, 'uncounted'>

export function isCounted(counted: Counted | undefined): counted is LimitOfAddress {
  return counted !== undefined && counted !== 'uncounted'
}

/** Before the body is read: for an address over its limit, nothing is stored or looked up. */
const countByAddress = (counted: LimitOfAddress) =>
  defineMiddleware(
    'auth-limit',
    async (c, next) => {
      const { limits, passwords } = authOf(c.server)
      // A caller who returns to a kept place was counted before.
      const isReturn = passwords.spendReturn(placeOf(c), counted)
      if (!isReturn) await limits.take(counted, clientAddress(c))
      noteCounted(c, counted)
      await next()
    },
    { documents: { errors: [TooManyRequestsError] } },
  )

interface Place {
  contract: ContractPlace | undefined
  counted: Counted | undefined
  support: ForSupport
  tenant: Tenant | undefined
}

/**
 * The middleware for an operation's `access`, its limit, and its place in the contract of devices.
 */
export function guardsFor(
  access: Access,
  { contract, counted = 'uncounted', support, tenant }: Place,
): Middleware[] {
  return [
    noStore,
    ...(contract ? [ofDevices] : []),
    ...(isCounted(counted) ? [countByAddress(counted)] : []),
    ...callerGuards(access, {
      signed: contract?.proof ? signedOnDevice : authenticate,
      support,
      tenant,
    }),
  ]
}

interface Signed {
  /** Authenticates the signer of the request. */
  signed?: Middleware
  support: ForSupport
  tenant?: Tenant | undefined
}

/** The middleware that accepts these callers. */
export function callerGuards(
  access: Access,
  { signed = authenticate, support, tenant }: Signed,
): Middleware[] {
  const ofOwner = support === 'owner only' ? [forbidSupport] : []
  if (access === 'public' || access === 'setup') return []
  if (access === 'optional') return [optionalAuth, personOrNobody, ...ofOwner]
  const signedIn = [signed, ...ofOwner]
  if (access === 'any-key') return signedIn
  if (access === 'bearer') return [...signedIn, requirePerson]
  if (access === 'step-up') return [...signedIn, requireStepUp]
  if (access === 'fresh' || access === 'fresh for passkeys') return [...signedIn, requireProof]
  if (access === 'fresh for some') return [...signedIn, requirePerson, requireProofForSome]
  if (access === 'superadmin') return [...signedIn, requireRole('superadmin')]
  if (access === 'fresh superadmin') {
    return [...signedIn, requireRole('superadmin'), requireProof]
  }
  const member = /^(?:(fresh), )?in (\S+?)(?:, (even if refused)|, may (.+))?$/.exec(access)
  if (member) {
    const [, proof, name = '', even, permission] = member
    return [
      ...memberGuards(tenantNamed(name, tenant), permission === undefined ? [] : [permission], {
        signedIn,
        evenIfRefused: even !== undefined,
      }),
      ...(proof ? [requireProof] : []),
    ]
  }
  const [, proof, permission = ''] = /^(?:(fresh|fresh for some), )?may (.+)$/.exec(access) ?? []
  return [
    ...signedIn,
    requirePermissions(permission),
    ...(proof === 'fresh' ? [requireProof] : []),
    ...(proof === 'fresh for some' ? [requireProofForSome] : []),
  ]
}

interface MemberGuards {
  signedIn?: readonly Middleware[]
  evenIfRefused?: boolean
}

/** The middleware that accepts members of a tenant. The tenant is named before the key is read. */
export function memberGuards(
  tenant: Tenant,
  permissions: readonly string[],
  { signedIn = [authenticate], evenIfRefused = false }: MemberGuards = {},
): Middleware[] {
  const asked = { permissions, evenIfRefused }
  return [namesTenant(tenant), ...signedIn, requireStanding(tenant, asked)]
}

function tenantNamed(name: string, tenant: Tenant | undefined) {
  if (tenant?.name === name) return tenant
  throw new DefinitionError([
    `An operation asks for a member of the tenant "${name}", and its contract does not have it: write defineContract(…, { tenant }).`,
  ])
}
