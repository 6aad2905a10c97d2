/** The token in the address of a mail. */
export function tokenInLink({ text }: { text: string }) {
  const [, token] = /[?&]token=([\w-]+)/.exec(text) ?? []
  if (!token) throw new Error(`The mail has no link: ${text}`)
  return token
}
