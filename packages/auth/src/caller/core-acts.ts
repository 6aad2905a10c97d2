/** The acts that the core of sign-in writes into the audit trail. Each capability declares its own. */
export const coreActs = [
  'login',
  'login.challenged',
  'recent.proved',
  'contact.proved',
  'mfa.enrolled',
  'mfa.removed',
  'account.seeded',
  'account.suspended',
  'account.reactivated',
  'user.imported',
  'everyone.signed_out',
  'oauth2.client.registered',
] as const
