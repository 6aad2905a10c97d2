/** How a client shows at the token endpoint that it is the one. `none` has no secret to show, and PKCE in its place. */
export const registeredAuthMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type RegisteredAuthMethod = (typeof registeredAuthMethods)[number]
/** A document names keys; a registration has no place for them. */
export type ClientAuthMethod = RegisteredAuthMethod | 'private_key_jwt'
