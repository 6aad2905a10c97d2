/**
 * What each refusal says that was thrown without a message: what is wrong, and then what to do. Clients get it in the
 * answer, so it is not in what browsers load.
 */
export const errorMessages: Readonly<Record<string, string>> = {
  AccountAlreadyExistsError:
    'This address or number already has an account. Sign in to it, or use another one.',
  AccountDisabledError: 'This account is suspended. Ask the people who run this service.',
  AccountPendingDeletionError: 'This account is going to be deleted. Restore it first.',
  AnotherSocialAccountLinkedError:
    'Another account of this provider is linked. Sign in with that one, or unlink it first.',
  ApprovalNotFoundError:
    'No call waits for your approval here. You or another device has decided, or it is too late.',
  ApprovalRefusedError:
    'The owner of the account has refused this call. Ask them before you send it again.',
  BuiltinRoleError: 'A built-in role cannot be changed in this way. Create a role of your own.',
  ContactUndoLinkError:
    'This link was used, has expired or is incomplete. If the account is yours, reset its password.',
  DeviceAuthAlreadyHandledError:
    'This code was already approved or denied. Show a new one on the device.',
  DeviceAuthDeniedError: 'The sign-in of this device was denied. Show a new code to try again.',
  DeviceAuthExpiredError: 'This code has expired. Show a new one on the device.',
  DeviceAuthNotFoundError:
    'No device is waiting with this code. Compare it with the code on the device.',
  FactorRemovalLinkError:
    'This link was used, has expired or is incomplete. Sign in to see your second factors.',
  InvalidCredentialsError: 'The credentials are wrong. Check them and try again.',
  InvalidKeyFingerprintError:
    'The fingerprint does not match the public key. Send the SHA-256 of its DER bytes, in lowercase hex.',
  InvalidSignupLinkError: 'This link was used or replaced, or has expired. Request a new one.',
  InvalidSignupSetupSessionError: 'This sign-up is finished or has expired. Request a new link.',
  InvalidSocialTokenError:
    'The id token is not valid or has expired. Request a new one from the provider.',
  InvalidVerificationCodeError: 'This code is wrong or has expired. Request a new one.',
  InvalidVerificationTokenError: 'This verification was used or has expired. Request a new code.',
  InvitationAlreadyExistsError: 'This address is already invited. Send that invitation again.',
  InvitationClosedError:
    'This invitation was accepted or cancelled, or has expired. Create a new one.',
  InvitationNotFoundError:
    'This invitation was used, cancelled or replaced, or has expired. Ask for another one.',
  JobNotFoundError: 'There is no such job, or it is no longer kept. List the jobs to see them.',
  KeyAlgorithmMismatchError:
    'The public key does not match its algorithm. Send a key of that type.',
  KeyExpiredError: 'The key of this device has expired. Sign in again.',
  KeyIdAlreadyRegisteredError: 'This key cannot be registered. Create a new key with a new key id.',
  KeyNotFoundError: 'This account has no such key. List its keys to see them.',
  LastRecoveryCredentialError:
    'This is the last way to sign in to the account. Set a password or verify an address first.',
  LastSuperadminError: 'This is the last superadmin. Make another account superadmin first.',
  MfaAlreadyEnrolledError:
    'This account already has an authenticator app. Remove it before you add another one.',
  MfaNotEnrolledError:
    'This account has no second factor of this kind. Add one, or use another kind.',
  MfaUnavailableError:
    'This server has no encryption key for this second factor. Its operator must configure one.',
  MfaVerificationFailedError:
    'The proof of the second factor is wrong or has expired. Try again, or sign in again.',
  NativeSignInUnsupportedError:
    'This server accepts no id tokens of this provider. Use another way to sign in.',
  NonceKeyBindingError:
    'The nonce is not the fingerprint of the key. Request an id token with the fingerprint as its nonce.',
  OAuthPendingSessionError: 'This sign-in is finished or has expired. Start again.',
  PasskeyAlreadyRegisteredError: 'This passkey is already registered. Use another authenticator.',
  PasskeyChallengeError:
    'The challenge was used or has expired. Request new options, then try again.',
  PasskeyNotFoundError: 'This account has no such passkey. List its passkeys to see them.',
  PasskeyVerificationError: 'The passkey was not accepted. Try again, or use another one.',
  PasswordChangeRequiredError: 'The password must be changed first. Set a new one, then try again.',
  PasswordResetLinkError: 'This link was used or replaced, or has expired. Request a new one.',
  PasswordResetSessionError: 'This password reset is finished or has expired. Request a new link.',
  PermissionNotFoundError: 'No code declares this permission. Check its name.',
  ProofOfWorkRequiredError:
    'This needs a proof of work. Solve the challenge, for example with withWork, and send again.',
  ProviderConsentRequiredError:
    'The provider must give its consent again. Let the user sign in with it again.',
  RecentAuthenticationRequiredError:
    'The last proof on this device is too old. Call proveRecent or sign in again, then try again.',
  RegistrationRejectedError: 'This account was not created. Ask the people who run this service.',
  RequestReplayedError: 'This request token was used before. Sign a new one for each request.',
  ReservedUsernameError: 'This username is reserved. Choose another one.',
  RevokeAllLinkError: 'This link was used, has expired or is incomplete. Request a new one.',
  RoleAlreadyExistsError: 'A role has this name already. Choose another name.',
  RoleInUseError: 'Users have this role. Give them another one before you delete it.',
  RoleNotFoundError: 'There is no such role. List the roles to see them.',
  SendRejectedError: 'The message was not sent. Ask the people who run this service.',
  SessionRenewalRefusedError: 'This session cannot be renewed. Sign in again.',
  SocialAccountAlreadyLinkedError:
    'This account, or another one of the provider, is already linked. Unlink it first.',
  SocialAccountNotLinkedError: 'No account of this provider is linked. Link one first.',
  StepUpRequiredError: 'This needs a fresh proof of the second factor. Prove it, then try again.',
  StreamNotFoundError: 'No open stream has this id. List the open streams to see them.',
  SupportCodeError:
    'The support code is missing or wrong, was used or has expired. Ask the owner for a new one.',
  SupportSessionForbiddenError:
    'A support session may not do this. Only the owner of the account may.',
  TokenExpiredError:
    'The request token has expired. Sign a new one with the time of GET /_core/time.',
  UnverifiedEmailLinkError:
    'An account has this email, which is not verified on both sides. Sign in another way and verify it.',
  UserNotFoundError: 'There is no such user. Check the user id.',
  UsernameAlreadyTakenError: 'This username is taken. Choose another one.',
  VerificationTokenPurposeMismatchError:
    'This code was requested for something else. Request a new one.',
  VerificationTokenTargetMismatchError:
    'This code was sent to another address or number. Request a new one.',
  WebSignInUnsupportedError:
    'This server signs in no browser with this provider. Use another way to sign in.',
}
