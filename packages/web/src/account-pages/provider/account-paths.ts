/** Where the pages of an account are in your application. */
export interface AccountPaths {
  home: string
  signIn: string
  register: string
  signUp: string
  forgotPassword: string
  linkDevice: string
  restore: string
  secondStep: string
  acceptInvitation: string
  approveDevice: string
  profile: string
  changeEmail: string
  devices: string
  machines: string
  agents: string
  approvals: string
  security: string
  passkeys: string
  twoStep: string
  linkedAccounts: string
  supportCode: string
  deleteAccount: string
  invitations: string
}

/** The paths of the starter. */
export const accountPaths: AccountPaths = {
  home: '/',
  signIn: '/login',
  register: '/register',
  signUp: '/signup',
  forgotPassword: '/password/forgot',
  linkDevice: '/link',
  restore: '/restore',
  secondStep: '/auth/mfa',
  acceptInvitation: '/invitation',
  approveDevice: '/device',
  profile: '/account',
  changeEmail: '/account/email',
  devices: '/account/devices',
  machines: '/account/machines',
  agents: '/account/agents',
  approvals: '/account/approvals',
  security: '/account/security',
  passkeys: '/account/security/passkeys',
  twoStep: '/account/security/two-step',
  linkedAccounts: '/account/security/linked',
  supportCode: '/account/security/support-code',
  deleteAccount: '/account/close',
  invitations: '/admin/invitations',
}
