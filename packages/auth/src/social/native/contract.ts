import { NotFoundError, route, t } from '@svc/core/contract'
import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '../../accounts/errors.ts'
import { allow, KeyedLoginResult } from '../../capability/contract.ts'
import { keyFields, keyRefusals } from '../../capability/fields.ts'
import { limitRefusals } from '../../limits/contract.ts'
import { RegistrationRejectedError } from '../../register/errors.ts'
import {
  AnotherSocialAccountLinkedError,
  InvalidSocialTokenError,
  NativeSignInUnsupportedError,
  NonceKeyBindingError,
  UnverifiedEmailLinkError,
} from '../errors.ts'

export const NativeLoginResult = t.Object({
  ...KeyedLoginResult.properties,
  isNewUser: t.Boolean(),
})

/** Signing in with what a provider's SDK gives an app. */
export const nativeOperations = {
  oauthNative: allow.public('native by address')(
    route
      .post('/_auth/oauth/:provider/native')
      .input({
        params: t.Object({
          provider: t.String({ description: 'The id of a provider, such as `google`.' }),
        }),
        body: t.Object({
          idToken: t.String({ maxLength: 16_384 }),
          nonce: t.String({ maxLength: 128 }),
          accessToken: t.Optional(t.String({ maxLength: 4096 })),
          profile: t.Optional(t.Object({ name: t.Optional(t.String({ maxLength: 256 })) })),
          ...keyFields,
        }),
      })
      .answer(NativeLoginResult, 200, 202)
      .errors(
        NotFoundError,
        NativeSignInUnsupportedError,
        NonceKeyBindingError,
        InvalidSocialTokenError,
        UnverifiedEmailLinkError,
        AnotherSocialAccountLinkedError,
        RegistrationRejectedError,
        InvalidCredentialsError,
        AccountDisabledError,
        AccountPendingDeletionError,
        ...keyRefusals,
        ...limitRefusals,
      )
      .inContract('auth.enroll.oauthNative', { proof: false })
      .describe({ summary: 'Signs in with an id token that is bound to the key of the device.' }),
  ),
}
