/**
 * The protocol over WebSockets. A client names it beside its token, because browsers need one of
 * their own names back.
 */
export const subprotocol = 'svc.v1'

/**
 * The prefix of a token in the list of subprotocols: a browser can set no other header of a
 * handshake.
 */
export const tokenPrefix = 'svc.token.'

/** RFC 6455, 4.1: the name of a subprotocol is a token of HTTP. */
export function isSubprotocol(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}
