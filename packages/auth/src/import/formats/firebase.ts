import { firebaseHash } from '../../passwords/passwords.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../records.ts'
import type { Format } from './format.ts'

const own = new Set<unknown>(['password', 'phone', 'emailLink', 'anonymous'])

/** What `firebase auth:export` writes. It has only numbers that were proved. */
export const firebase: Format = (fields, { firebase: parameters }) => {
  const hash = textOf(fields('passwordHash'))
  if (hash !== undefined && !parameters) return 'hash_parameters_missing'
  const phone = fields('phoneNumber')
  return {
    externalId: fields('localId', 'uid'),
    email: fields('email'),
    emailVerified: fields('emailVerified'),
    phone,
    phoneVerified: phone !== undefined,
    displayName: fields('displayName'),
    avatarUrl: fields('photoUrl'),
    createdAt: fields('createdAt'),
    suspended: fields('disabled'),
    accounts: accountsOf(fields),
    ...(hash !== undefined &&
      parameters && {
        passwordHash: firebaseHash(parameters, { salt: textOf(fields('salt')) ?? '', hash }),
      }),
  }
}

function accountsOf(fields: Fields) {
  return listOf(fields('providerUserInfo'))
    .map(fieldsOf)
    .filter((of) => !own.has(of('providerId')))
    .map((of) => ({ provider: providerOf(of('providerId')), id: of('rawId') }))
}

/** `google.com` is google; `oidc.kakao` is a name that the project chose. */
function providerOf(id: unknown) {
  return textOf(id)
    ?.replace(/\.com$/, '')
    .replace(/^oidc\./, '')
}
