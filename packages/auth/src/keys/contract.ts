import { route, t, UnauthorizedError } from '@svc/core/contract'
import { allow, defineContract } from '../capability/contract.ts'
import { KeyListItem, keyFields, keyRefusals, LetIn, NewDeviceKey } from '../capability/fields.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'

/** The devices of an account. Everything is POST with a body: the mobile profile signs bodies. */
export const keyContract = defineContract('keys', {
  operations: {
    listKeys: allow.bearer('owner only')(
      route
        .post('/_auth/keys/list')
        .input({ body: t.Object({ includeRevoked: t.Optional(t.Boolean()) }) })
        .answer(t.Object({ keys: t.Array(KeyListItem), approvals: t.Optional(t.Array(LetIn)) }))
        .inContract('auth.keys.list', { proof: true })
        .describe({ summary: 'Lists the registered devices of the caller.' }),
    ),
    revokeKey: allow.bearer('owner only')(
      route
        .post('/_auth/keys/revoke')
        .input({
          body: t.Object({
            keyId: t.String({ maxLength: 128 }),
            keepMade: t.Optional(
              t.Boolean({
                description:
                  'Keeps the devices, programs and agents that this device approved signed in.',
              }),
            ),
          }),
        })
        .answer(
          t.Object({
            keyId: t.String(),
            selfRevoked: t.Boolean(),
            ended: t.Optional(t.Array(LetIn)),
            approvals: t.Optional(t.Array(LetIn)),
          }),
        )
        .errors(KeyNotFoundError)
        .inContract('auth.keys.revoke', { proof: true })
        .describe({ summary: 'Signs out a device, and what it approved.' }),
    ),
    rotateKey: allow.anyKey('owner only')(
      route
        .post('/_auth/keys/rotate')
        .input({ body: NewDeviceKey })
        .answer(t.Object({ keyId: t.String(), expiresAtMillis: t.Integer() }))
        .errors(...keyRefusals, UnauthorizedError, ...limitRefusals)
        .inContract('auth.keys.rotate', { proof: true })
        .describe({ summary: 'Replaces the calling device’s key before it expires.' }),
    ),
  },
  types: {
    DevicePlatform: keyFields.platform,
    KeyAlgorithm: keyFields.algorithm,
    KeyListItem,
    LetIn,
    NewDeviceKey,
  },
  limits: {
    // Each leaves a row that is never deleted. Revoking has no limit, because a stolen device must
    // not use it up.
    'key rotation by account': perMinute(10),
  },
  browser: {
    rotateKey: 'rotates the key',
    revokeKey: 'ends keys',
  },
})
