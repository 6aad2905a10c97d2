import { route, t } from '@svc/core/contract'
import { AccountDisabledError, AccountPendingDeletionError } from '../accounts/errors.ts'
import { proofRefusals } from '../caller/contract.ts'
import { allow, defineContract, knownBrowser } from '../capability/contract.ts'
import { keyFields } from '../capability/fields.ts'
import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
} from '../crypto/errors.ts'
import { limitRefusals, perMinute } from '../limits/contract.ts'
import * as errors from './errors.ts'
import {
  DeviceAuthAlreadyHandledError,
  DeviceAuthDeniedError,
  DeviceAuthExpiredError,
  DeviceAuthNotFoundError,
} from './errors.ts'

const Pending = t.Object({ status: t.Literal('pending'), intervalMillis: t.Integer() })
const Approved = t.Object({
  status: t.Literal('approved'),
  mfaRequired: t.Literal(false),
  userId: t.String(),
  publicId: t.String(),
  email: t.Optional(t.String()),
  phone: t.Optional(t.String()),
  passwordChangeRequired: t.Boolean(),
  knownBrowser,
})

/**
 * The details by which the approver recognises the device: a screen must not show the code alone
 * (A-193).
 */
const WaitingDevice = t.Object({
  deviceName: t.Optional(t.String()),
  platform: keyFields.platform,
  fingerprintPrefix: t.String(),
  requestedAtMillis: t.Integer(),
  expiresAtMillis: t.Integer(),
})

const code = { body: t.Object({ userCode: t.String({ maxLength: 32 }) }) }
const codeRefusals = [
  DeviceAuthNotFoundError,
  DeviceAuthAlreadyHandledError,
  DeviceAuthExpiredError,
  ...limitRefusals,
] as const

/** Signing in on a device without a keyboard: it shows a code, and a signed-in device approves it. */
export const deviceAuthContract = defineContract('device', {
  operations: {
    startDeviceAuth: allow.public('device start by address')(
      route
        .post('/_auth/device/start')
        .input({ body: t.Object(keyFields) })
        .answer(
          t.Object({
            deviceCode: t.String(),
            userCode: t.String(),
            expiresAtMillis: t.Integer(),
            intervalMillis: t.Integer(),
          }),
        )
        .errors(KeyAlgorithmMismatchError, InvalidKeyFingerprintError, ...limitRefusals)
        .inContract('auth.device.start', { proof: false })
        .describe({
          summary: 'Returns a code for a waiting device to show, and one to poll with.',
        }),
    ),
    pollDeviceAuth: allow.public('device poll by address')(
      route
        .post('/_auth/device/poll')
        .input({
          body: t.Object({
            deviceCode: t.String({ maxLength: 128 }),
            waitMillis: t.Optional(t.Integer({ minimum: 0, maximum: 20_000 })),
          }),
        })
        .answer(t.Union([Pending, Approved]))
        .errors(
          DeviceAuthNotFoundError,
          DeviceAuthDeniedError,
          DeviceAuthExpiredError,
          AccountDisabledError,
          AccountPendingDeletionError,
          KeyIdAlreadyRegisteredError,
          ...limitRefusals,
        )
        .inContract('auth.device.poll', { proof: false })
        .describe({ summary: 'Signs the waiting device in after a user approved it.' }),
    ),
    getDeviceAuthInfo: allow.bearer('owner only')(
      route
        .post('/_auth/device/info')
        .input(code)
        .answer(WaitingDevice)
        .errors(...codeRefusals)
        .inContract('auth.device.info', { proof: true })
        .describe({
          summary: 'Says which device shows the code. From then on, it waits for this account.',
        }),
    ),
    approveDeviceAuth: allow.fresh(
      route
        .post('/_auth/device/approve')
        .input(code)
        .answer(WaitingDevice)
        .errors(...codeRefusals, ...proofRefusals)
        .inContract('auth.device.approve', { proof: true })
        .describe({ summary: 'Approves the waiting device: it signs in as the caller.' }),
    ),
    denyDeviceAuth: allow.bearer('owner only')(
      route
        .post('/_auth/device/deny')
        .input(code)
        .answer(t.Undefined(), 204)
        .errors(...codeRefusals)
        .inContract('auth.device.deny', { proof: true })
        .describe({ summary: 'Denies the waiting device.' }),
    ),
  },
  types: { DeviceApproved: Approved, DevicePending: Pending, WaitingDevice },
  errors: Object.values(errors),
  limits: {
    'device start by address': perMinute(10),
    'device poll by address': perMinute(60),
    // All three look a code up, so they share one limit.
    'device code by address': perMinute(50),
    'device code by account': perMinute(10),
  },
  browser: {
    startDeviceAuth: 'shows a code',
    pollDeviceAuth: 'asks with the code',
  },
})
