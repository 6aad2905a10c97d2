import { authContract } from '../../auth-contract.ts'

/**
 * What an operation that nobody has to sign is asked about.
 * - `account`: an address or a number. Whether there is an account must not show: answers and time are held.
 * - `secret`: something that was drawn at random, or is sealed. Who does not have it names nobody by guessing.
 * - `proof`: something that a provider has signed for whoever shows it, which is looked at first.
 * - `program`: an agent, which is told who it is.
 * - `name`: whether a username is free, which is what is asked.
 * - `nothing`: nobody.
 */
type Subject = 'account' | 'secret' | 'proof' | 'program' | 'name' | 'nothing'

type Contract = typeof authContract
type Unsigned = {
  [Name in keyof Contract]: Contract[Name]['access'] extends 'public' | 'setup' | 'optional'
    ? Name
    : never
}[keyof Contract]

/** Every operation without a signature. A new one is put here before it compiles. */
export const subjects = {
  acceptInvitation: 'secret',
  cancelAccountDeletion: 'account',
  checkUsername: 'name',
  completePasswordReset: 'secret',
  completeSignup: 'secret',
  confirmContactUndoLink: 'secret',
  confirmPasswordReset: 'secret',
  confirmRevokeAllLink: 'secret',
  confirmSignupLink: 'secret',
  consumeContactUndoLink: 'secret',
  consumeRevokeAllLink: 'secret',
  finalize: 'secret',
  getGoogleOAuthUrl: 'nothing',
  getInvitation: 'secret',
  getOAuth2Authorize: 'program',
  getProviderOAuthUrl: 'nothing',
  login: 'account',
  mfaVerify: 'secret',
  mfaVerifyOptions: 'secret',
  oauth2DeviceAuthorization: 'program',
  oauth2Introspect: 'program',
  oauth2Revoke: 'program',
  oauth2Token: 'program',
  oauthCallback: 'secret',
  oauthNative: 'proof',
  passkeyLoginOptions: 'nothing',
  passkeyLoginVerify: 'secret',
  pollDeviceAuth: 'secret',
  providers: 'nothing',
  redirectToProvider: 'nothing',
  register: 'account',
  registerOAuth2Client: 'nothing',
  requestPasswordReset: 'account',
  requestSignupLink: 'account',
  sendVerificationCode: 'account',
  sessionRenewOptions: 'secret',
  sessionRenewVerify: 'secret',
  start: 'nothing',
  startDeviceAuth: 'nothing',
  stopFactorRemoval: 'secret',
  unlinkNotify: 'proof',
  unlinkNotifyByQuery: 'proof',
  verifyCode: 'account',
} satisfies Record<Unsigned, Subject>

/** Those whose body has a member that names an account. */
export function namingAnAccount(): string[] {
  const naming = Object.entries(authContract).filter(([name, { operation }]) => {
    const body = operation.input.body as { properties?: object } | undefined
    const members = Object.keys(body?.properties ?? {})
    return name in subjects && members.some((each) => /^(email|phone|target|username)$/.test(each))
  })
  return naming.map(([name]) => name)
}

/** Those of the contract, as it is when it runs. */
export function unsignedOperations(): string[] {
  const unsigned = Object.entries(authContract).filter(([, { access }]) =>
    ['public', 'setup', 'optional'].includes(access),
  )
  return unsigned.map(([name]) => name)
}
