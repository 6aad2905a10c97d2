/**
 * Others post messages on the channel of a thread too: `node --watch` reports there which files
 * were loaded. So our messages have a topic and the id of their question, and all others are
 * ignored.
 */
export interface ThreadMessage {
  readonly svc: 'hash' | 'signatures'
  readonly id: number
}

/** Whether the message is one of ours and has the members that its reader needs. */
export function isThreadMessage<Message extends ThreadMessage>(
  given: unknown,
  svc: Message['svc'],
  has: (content: { readonly [Name in keyof Message]?: unknown }) => boolean,
): given is Message {
  if (typeof given !== 'object' || given === null) return false
  const { svc: topic, id } = given as Partial<ThreadMessage>
  return topic === svc && Number.isSafeInteger(id) && has(given)
}
