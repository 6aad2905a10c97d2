import type { KeyRegistering } from '@svc/auth'
import { askForRenewal, bind, renew } from './binding.ts'
import { askWhetherApproved, startWaiting } from './device-pending.ts'
import { revoke, rotate, signOut, signOutHere } from './keys.ts'
import { finalize, leaveForProvider, leaveToLink } from './oauth-pending.ts'
import type { Flow } from './outcome.ts'
import { completeSetup, openSetup, passwordResetSetup, signupSetup } from './password-setup.ts'
import { askForFactor } from './second-factor.ts'
import { signIn, verifySecondFactor } from './sign-in.ts'

/** One that registers a key and is missing here does not compile. */
const ofKeys = {
  register: signIn,
  login: signIn,
  rotateKey: rotate,
  startDeviceAuth: startWaiting,
  completeSignup: completeSetup(signupSetup),
  completePasswordReset: completeSetup(passwordResetSetup),
  acceptInvitation: signIn,
  passkeyLoginVerify: signIn,
  sessionRenewVerify: renew,
  start: leaveForProvider,
  oauthNative: signIn,
} satisfies Record<KeyRegistering, Flow>

/** What the proxy does around an operation of the service, by the operation's name. All others are only signed. */
export const flows: ReadonlyMap<string, Flow> = new Map(
  Object.entries<Flow>({
    ...ofKeys,
    logout: signOutHere,
    requestAccountDeletion: signOut,
    revokeKey: revoke,
    revokeAllKeys: revoke,
    mfaVerifyOptions: askForFactor,
    mfaVerify: verifySecondFactor,
    pollDeviceAuth: askWhetherApproved,
    confirmSignupLink: openSetup(signupSetup),
    confirmPasswordReset: openSetup(passwordResetSetup),
    getGoogleOAuthUrl: leaveForProvider,
    getProviderOAuthUrl: leaveForProvider,
    linkSocialAccount: leaveToLink,
    finalize,
    setSessionBinding: bind,
    sessionRenewOptions: askForRenewal,
  }),
)
