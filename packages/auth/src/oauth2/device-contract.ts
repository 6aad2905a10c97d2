import { ForbiddenError, NotFoundError, type OutputOf, route, t } from '@svc/core/contract'
import { proofRefusals } from '../caller/contract.ts'
import { allow } from '../capability/contract.ts'
import { limitRefusals } from '../limits/contract.ts'
import { clientCredentials, text } from './clients/contract.ts'
import { consentFields } from './consent-fields.ts'
import { OAuth2Error } from './errors.ts'

const DeviceForm = t.Object({
  scope: text(2048, 'Names with a space between them.'),
  resource: text(2048, 'The resource that the tokens are for (RFC 8707).'),
  dpop_jkt: text(64, 'The thumbprint of the one key that may redeem the code (RFC 9449).'),
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
  requestedAtMillis: t.Integer(),
  expiresAtMillis: t.Integer(),
})
export type DeviceConsent = OutputOf<typeof DeviceConsent>

const userCode = t.String({ maxLength: 32, description: 'As the program shows it.' })

/** How a program without a browser asks for access (RFC 8628). */
export const deviceOperations = {
  oauth2DeviceAuthorization: allow.public('oauth2 device by address')(
    route
      .post('/_auth/oauth2/device_authorization')
      .input({ form: DeviceForm })
      .answer(DeviceAuthorization)
      .errors(OAuth2Error, NotFoundError)
      .describe({
        summary:
          'Returns a code for a client to show to its user, and one to poll with (RFC 8628).',
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
        body: t.Object({
          userCode,
          decision: t.Union([t.Literal('allow'), t.Literal('deny')]),
          owner: text(64, 'One of `owners`. The user unless set.'),
        }),
      })
      .answer(t.Undefined(), 204)
      .errors(OAuth2Error, NotFoundError, ForbiddenError, ...proofRefusals, ...limitRefusals)
      .describe({ summary: 'Allows or denies what the client asks for that shows the code.' }),
  ),
}
