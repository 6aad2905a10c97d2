import type { authContracts, EffectsOf } from '@svc/auth/contract'

/**
 * What the proxy does around each operation of the service, as the contracts say. Their schemas are five times the size
 * of the proxy, so it has this in their place: an effect that is missing here, or another one, does not compile.
 */
export const ownEffects: EffectsOf<(typeof authContracts)[number]> = {
  register: 'signs in',
  confirmSignupLink: 'opens setup signup',
  completeSignup: 'finishes setup signup',
  login: 'signs in',
  logout: 'signs out here',
  startDeviceAuth: 'shows a code',
  pollDeviceAuth: 'asks with the code',
  passkeyLoginVerify: 'signs in',
  mfaVerifyOptions: 'asks for the second factor',
  mfaVerify: 'proves the second factor',
  start: 'leaves for a provider',
  getGoogleOAuthUrl: 'leaves for a provider',
  getProviderOAuthUrl: 'leaves for a provider',
  linkSocialAccount: 'leaves to link',
  finalize: 'comes back from a provider',
  oauthNative: 'signs in',
  setSessionBinding: 'binds the session',
  sessionRenewOptions: 'asks to renew the session',
  sessionRenewVerify: 'renews the session',
  rotateKey: 'rotates the key',
  revokeKey: 'ends keys',
  createMachineKey: 'takes a foreign key',
  revokeAllKeys: 'ends keys',
  confirmPasswordReset: 'opens setup password_reset',
  completePasswordReset: 'finishes setup password_reset',
  acceptInvitation: 'signs in',
  requestAccountDeletion: 'signs out',
}
