/** The account as authenticators keep it: the 16 bytes of its id, in base64url. No name and no address is in it. */
export function userHandleOf(userId: string) {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}
