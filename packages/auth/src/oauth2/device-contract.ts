import { ForbiddenError, NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { proofRefusals } from '../caller/contract.ts'
import { allow } from '../capability/contract.ts'
import { limitRefusals } from '../limits/contract.ts'
import { clientCredentials } from './clients/contract.ts'
import { askedFields, consentFields, decisionFields } from './consent-fields.ts'
import { OAuth2Error } from './errors.ts'

const DeviceForm = t.Object({
  ...askedFields,
  ...clientCredentials,
})
export type DeviceForm = OutputOf<typeof DeviceForm>

const DeviceAuthorization = t.Object({
  device_code: t.String(),
  user_code: t.String(),
  verification_uri: t.String(),
  verification_uri_complete: t.String(),
  expires_in: t.Integer(),
  interval: t.Integer(),
})
export type DeviceAuthorization = OutputOf<typeof DeviceAuthorization>

/** What a page must show of a program that shows a code. */
const DeviceConsent = t.Object({
  ...consentFields,
  /** In its one form, to be compared with what the program shows. */
  userCode: t.String(),
  expiresAtMillis: t.Integer(),
})
export type DeviceConsent = OutputOf<typeof DeviceConsent>

const userCode = t.String({ maxLength: 32 })

/** How a program without a browser asks for access (RFC 8628). */
export const deviceOperations = {
  oauth2DeviceAuthorization: allow.public('oauth2 device by address')(
    route
      .post('/_auth/oauth2/device_authorization')
      .input({ form: DeviceForm })
      .answer(DeviceAuthorization)
      .errors(OAuth2Error, NotFoundError)
      .describe({
        summary: 'Returns a code for a client to show, and one to poll with (RFC 8628).',
      }),
  ),
  getOAuth2DeviceRequest: allow.bearer('owner only')(
    route
      .post('/_auth/oauth2/device/info')
      .input({ body: t.Object({ userCode }) })
      .answer(DeviceConsent)
      .errors(NotFoundError, ...limitRefusals)
      .describe({
        summary: 'Says which client shows the code. From then on, it waits for this account.',
      }),
  ),
  decideOAuth2DeviceRequest: allow.freshForSome(
    route
      .post('/_auth/oauth2/device/decide')
      .input({
        body: t.Object({ userCode, ...decisionFields }),
      })
      .answer(t.Undefined(), 204)
      .errors(OAuth2Error, NotFoundError, ForbiddenError, ...proofRefusals, ...limitRefusals)
      .describe({ summary: 'Allows or denies what the client asks for.' }),
  ),
}
