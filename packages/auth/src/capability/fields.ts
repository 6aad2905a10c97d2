import { type OutputOf, t } from '@svc/core/contract'
import { KeyAlgorithm } from '../crypto/contract.ts'
import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
} from '../crypto/errors.ts'

const keyId = t.String({ pattern: '^[A-Za-z0-9._-]{8,64}$' })
const algorithm = t.Union([t.Literal(KeyAlgorithm.ES256), t.Literal(KeyAlgorithm.RS256)])
const platform = t.Union([
  t.Literal('ios'),
  t.Literal('android'),
  t.Literal('web'),
  t.Literal('desktop'),
])

/**
 * What every operation that registers a key takes of it. The private key stays on the device that
 * made it.
 */
export const keyFields = {
  publicKey: t.String({ maxLength: 2048 }),
  keyId,
  fingerprint: t.String({ maxLength: 128 }),
  algorithm,
  deviceName: t.Optional(t.String({ maxLength: 64 })),
  platform: t.Optional(platform),
}

/** What an operation takes that registers a device's key. The private key stays on the device. */
export const NewDeviceKey = t.Object(keyFields)
export type NewDeviceKey = OutputOf<typeof NewDeviceKey>

/** How a key may be refused, at every operation that registers one. */
export const keyRefusals = [
  KeyAlgorithmMismatchError,
  InvalidKeyFingerprintError,
  KeyIdAlreadyRegisteredError,
] as const

/** What can be let in. A further capability writes its own name first. */
export type LetInKind = 'device' | 'machine' | 'agent' | 'approval' | `${string}/${string}`

/**
 * What a key has let in: a device that it approved, a program that it added, an agent that it allowed, or something of a
 * further capability.
 */
export const LetIn = t.Object({
  /** An `approval` was given, and no device has collected it yet. */
  kind: t.Unsafe<LetInKind>(
    t.String({
      description:
        '`device`, `machine`, `agent`, `approval`, or of a further capability `cards/card`',
    }),
  ),
  /** The id of its key; for an agent, the id of its grant, as in `listOAuth2Grants`; else that of its capability. */
  id: t.String(),
  name: t.Optional(t.String()),
  platform: t.Optional(platform),
  /** For an approval: until when it can be collected. */
  expiresAtMillis: t.Optional(t.Integer()),
})
export type LetIn = OutputOf<typeof LetIn>

/** A key as its owner sees it in a list. */
export const KeyListItem = t.Object({
  keyId: t.String(),
  kind: t.Optional(t.Union([t.Literal('machine'), t.Literal('support')])),
  permissions: t.Optional(t.Array(t.String())),
  deviceName: t.Optional(t.String()),
  platform: t.Optional(platform),
  algorithm,
  fingerprintPrefix: t.String(),
  createdAtMillis: t.Integer(),
  lastUsedAtMillis: t.Optional(t.Integer()),
  expiresAtMillis: t.Optional(t.Integer()),
  isExpired: t.Boolean(),
  isActive: t.Boolean(),
  revokedAtMillis: t.Optional(t.Integer()),
  registeredIp: t.Optional(t.String()),
  registeredUserAgent: t.Optional(t.String()),
  binding: t.Optional(t.Literal('passkey')),
  concurrentUseAtMillis: t.Optional(t.Integer()),
  letIn: t.Optional(t.Array(LetIn)),
})
export type KeyListItem = OutputOf<typeof KeyListItem>
