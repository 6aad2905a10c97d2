/** How a client shows at the token endpoint that it is the one. `none` has no secret to show, and PKCE in its place. */
export const clientAuthMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const
export type ClientAuthMethod = (typeof clientAuthMethods)[number]
